package dev.limiter.quarkus.deployment;

import dev.limiter.internal.settings.ModuleSettings;
import dev.limiter.jaxrs.RateLimits;
import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.spi.RateLimiterProvider;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.builditem.nativeimage.NativeImageProxyDefinitionBuildItem;
import io.quarkus.deployment.builditem.nativeimage.NativeImageResourcePatternsBuildItem;
import io.quarkus.deployment.builditem.nativeimage.ReflectiveClassBuildItem;
import io.quarkus.deployment.builditem.nativeimage.ServiceProviderBuildItem;
import jakarta.ws.rs.container.ContainerResponseContext;
import java.util.stream.Stream;

/** What a native image needs, as far as it is known: nobody has built one. */
class NativeProcessor {
    /** Whose presence the limiter looks for. */
    private static final String[] OPTIONAL = {
        "jakarta.enterprise.inject.spi.CDI", "jakarta.json.JsonString", "org.eclipse.microprofile.jwt.JsonWebToken"
    };

    @BuildStep
    void services(BuildProducer<ServiceProviderBuildItem> services) {
        Stream.of(
                        RateLimiterProvider.class.getName(),
                        ModuleSettings.class.getName(),
                        "dev.limiter.cdi.CallThreads",
                        "dev.limiter.cdi.CallUser")
                .filter(Platform::isPresent)
                .map(ServiceProviderBuildItem::allProvidersFromClassPath)
                .forEach(services::produce);
    }

    @BuildStep
    NativeImageResourcePatternsBuildItem resources() {
        return NativeImageResourcePatternsBuildItem.builder()
                .includeGlobs("dev/limiter/redis/lua/**", "META-INF/maven/redis.clients/jedis/pom.properties")
                .build();
    }

    /** Methods with limits, and their annotations, are found by reflection. */
    @BuildStep
    void reflection(ResourcesBuildItem found, BuildProducer<ReflectiveClassBuildItem> reflective) {
        reflective.produce(ReflectiveClassBuildItem.builder(found.classes.toArray(Class<?>[]::new))
                .methods()
                .build());
        reflective.produce(
                ReflectiveClassBuildItem.builder(OPTIONAL).constructors(false).build());
    }

    @BuildStep
    void proxies(BuildProducer<NativeImageProxyDefinitionBuildItem> proxies) {
        proxies.produce(new NativeImageProxyDefinitionBuildItem(RateLimits.class.getName()));
        proxies.produce(new NativeImageProxyDefinitionBuildItem(ContainerResponseContext.class.getName()));
    }
}
