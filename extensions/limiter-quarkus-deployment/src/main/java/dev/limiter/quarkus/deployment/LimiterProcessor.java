package dev.limiter.quarkus.deployment;

import dev.limiter.NotAdmittedException;
import dev.limiter.RateLimited;
import dev.limiter.RateLimiter;
import dev.limiter.Stage;
import dev.limiter.jaxrs.ClientAddress;
import dev.limiter.jaxrs.KeyResolver;
import dev.limiter.jaxrs.QuotaSource;
import dev.limiter.jaxrs.internal.response.NotAdmittedMapper;
import dev.limiter.quarkus.LimitHandlers;
import dev.limiter.quarkus.LimiterRecorder;
import dev.limiter.quarkus.RestApplication;
import dev.limiter.spi.CredentialsSource;
import io.quarkus.arc.deployment.AdditionalBeanBuildItem;
import io.quarkus.arc.deployment.BuildTimeConditionBuildItem;
import io.quarkus.arc.deployment.SyntheticBeanBuildItem;
import io.quarkus.arc.deployment.UnremovableBeanBuildItem;
import io.quarkus.deployment.Capabilities;
import io.quarkus.deployment.Capability;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.annotations.ExecutionTime;
import io.quarkus.deployment.annotations.Record;
import io.quarkus.deployment.builditem.ApplicationInfoBuildItem;
import io.quarkus.deployment.builditem.CombinedIndexBuildItem;
import io.quarkus.deployment.builditem.FeatureBuildItem;
import io.quarkus.deployment.builditem.IndexDependencyBuildItem;
import io.quarkus.deployment.builditem.RunTimeConfigurationDefaultBuildItem;
import io.quarkus.resteasy.reactive.server.spi.GlobalHandlerCustomizerBuildItem;
import io.quarkus.resteasy.reactive.server.spi.PreExceptionMapperHandlerBuildItem;
import io.quarkus.resteasy.reactive.spi.ContainerRequestFilterBuildItem;
import io.quarkus.resteasy.reactive.spi.DynamicFeatureBuildItem;
import io.quarkus.resteasy.reactive.spi.ExceptionMapperBuildItem;
import io.quarkus.smallrye.health.deployment.spi.HealthBuildItem;
import jakarta.inject.Singleton;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.core.Feature;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Adds the limiter to an application. */
class LimiterProcessor {
    private static final String RUNTIME = "dev.limiter.quarkus.";

    @BuildStep
    FeatureBuildItem feature() {
        return new FeatureBuildItem("limiter");
    }

    /** Without it the index has uses of the annotations, but not the annotations. */
    @BuildStep
    IndexDependencyBuildItem annotations() {
        return new IndexDependencyBuildItem("dev.limiter", "limiter-api");
    }

    /** Leaves out what registers the limiter on other servers. */
    @BuildStep
    void withoutFeatures(CombinedIndexBuildItem index, BuildProducer<BuildTimeConditionBuildItem> conditions) {
        Stream.of(Feature.class, DynamicFeature.class)
                .flatMap(kind -> index.getIndex().getAllKnownImplementations(kind).stream())
                .filter(type -> type.name().toString().startsWith("dev.limiter."))
                .forEach(type -> conditions.produce(new BuildTimeConditionBuildItem(type, false)));
    }

    /** The application is called in Redis as in Quarkus. */
    @BuildStep
    RunTimeConfigurationDefaultBuildItem name(ApplicationInfoBuildItem application) {
        return new RunTimeConfigurationDefaultBuildItem("limiter.application", application.getName());
    }

    @BuildStep
    AdditionalBeanBuildItem beans() {
        return AdditionalBeanBuildItem.builder()
                .setUnremovable()
                .addBeanClasses(RUNTIME + "LimiterBeans", RUNTIME + "Decisions")
                .build();
    }

    /** What is looked up, and not injected. */
    @BuildStep
    UnremovableBeanBuildItem lookedUp() {
        return UnremovableBeanBuildItem.beanTypes(
                RateLimiter.class, KeyResolver.class, ClientAddress.class, QuotaSource.class, CredentialsSource.class);
    }

    @BuildStep
    @Record(ExecutionTime.STATIC_INIT)
    SyntheticBeanBuildItem application(LimiterRecorder recorder, ResourcesBuildItem found) {
        Map<String, Set<RateLimited>> limits = found.limits();
        boolean early = limits.values().stream()
                .flatMap(Set::stream)
                .anyMatch(limit -> limit.stage() != Stage.AFTER_AUTHENTICATION);
        return SyntheticBeanBuildItem.configure(RestApplication.class)
                .scope(Singleton.class)
                .unremovable()
                .runtimeValue(recorder.application(
                        found.application, List.copyOf(found.roots), found.free(), !limits.isEmpty(), early))
                .done();
    }

    /** Takes part in the requests of methods that are not free. */
    @BuildStep
    void requests(
            ResourcesBuildItem found,
            BuildProducer<GlobalHandlerCustomizerBuildItem> handlers,
            BuildProducer<PreExceptionMapperHandlerBuildItem> failures,
            BuildProducer<DynamicFeatureBuildItem> methods,
            BuildProducer<ContainerRequestFilterBuildItem> requests) {
        handlers.produce(new GlobalHandlerCustomizerBuildItem(new LimitHandlers()));
        failures.produce(new PreExceptionMapperHandlerBuildItem(new LimitHandlers.Failure()));
        methods.produce(new DynamicFeatureBuildItem(RUNTIME + "LimitedMethods"));
        if (found.limitsAll()) {
            requests.produce(new ContainerRequestFilterBuildItem.Builder(RUNTIME + "BeforeMatchingFilter")
                    .setPreMatching(true)
                    .setPriority(Priorities.AUTHENTICATION - 500)
                    .build());
        }
    }

    @BuildStep
    ExceptionMapperBuildItem mapper() {
        return new ExceptionMapperBuildItem(
                NotAdmittedMapper.class.getName(), NotAdmittedException.class.getName(), Priorities.USER, false);
    }

    @BuildStep
    void health(Capabilities capabilities, BuildProducer<HealthBuildItem> checks) {
        if (capabilities.isPresent(Capability.SMALLRYE_HEALTH)) {
            checks.produce(new HealthBuildItem(RUNTIME + "StoreHealthCheck", true));
        }
    }
}
