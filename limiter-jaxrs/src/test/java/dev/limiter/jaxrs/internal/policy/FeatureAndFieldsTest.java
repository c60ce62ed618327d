package dev.limiter.jaxrs.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import dev.limiter.internal.algorithm.PolicyMembers;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.RateLimitFeature;
import dev.limiter.jaxrs.internal.bootstrap.ApplicationRuntime;
import dev.limiter.jaxrs.internal.bootstrap.ServerContext;
import dev.limiter.jaxrs.internal.declaration.AnnotationFinder;
import dev.limiter.jaxrs.internal.key.KeyExpression;
import dev.limiter.jaxrs.internal.request.RateLimitResponseFilter;
import dev.limiter.jaxrs.internal.request.RequestState;
import dev.limiter.jaxrs.internal.request.ResponseHeaders;
import dev.limiter.jaxrs.internal.servlet.ServletRateLimitFeature;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.MultivaluedMap;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** The feature is in force once, beside the headers and declarations of the service. */
class FeatureAndFieldsTest {
    private final Map<String, Object> properties = new HashMap<>();
    private final List<Object> registered = new ArrayList<>();

    private static <T> T answering(Class<T> type, BiFunction<String, Object[], Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> answers.apply(method.getName(), arguments)));
    }

    /** A server may find it twice: named by the application, and as a service. */
    @Test
    void aSecondFeatureRegistersNothing() {
        FeatureContext context = server(true);
        assertThat(new RateLimitFeature().configure(context)).isTrue();
        assertThat(new RateLimitFeature().configure(context)).isFalse();
        assertThat(registered).containsExactly(ServletRateLimitFeature.class);
    }

    /** Otherwise it would start, and no limit would act. */
    @Test
    void aServerThatDropsWhatAFeatureRegistersIsRefused() {
        assertThatExceptionOfType(RateLimitDeploymentException.class)
                .isThrownBy(() -> new RateLimitFeature().configure(server(false)))
                .withMessageStartingWith("No limit would act: this server takes RateLimitFeature, but drops");
    }

    private FeatureContext server(boolean takesFeatures) {
        Configuration configuration = answering(
                Configuration.class,
                (method, arguments) ->
                        method.equals("isRegistered") ? takesFeatures : properties.get((String) arguments[0]));
        FeatureContext[] context = new FeatureContext[1];
        context[0] = answering(FeatureContext.class, (method, arguments) -> {
            switch (method) {
                case "getConfiguration":
                    return configuration;
                case "property":
                    properties.put((String) arguments[0], arguments[1]);
                    return context[0];
                default:
                    registered.add(arguments[0]);
                    return context[0];
            }
        });
        return context[0];
    }

    /** How long a request was held stands beside the times that the service tells. */
    @Test
    void theServicesOwnTimesStay() {
        try (ApplicationRuntime runtime =
                new ApplicationRuntime(new MapSettings(), ServerContext.withoutServlets(null))) {
            RequestState state = runtime.requests().begin(true);
            state.slotWaited(12.5);
            MultivaluedMap<String, Object> headers = new MultivaluedHashMap<>();
            headers.add("Server-Timing", "db;dur=3");
            new RateLimitResponseFilter(new ResponseHeaders(runtime.requests().headers()))
                    .filter(
                            answering(
                                    ContainerRequestContext.class,
                                    (method, arguments) -> method.equals("getProperty") ? state : null),
                            answering(ContainerResponseContext.class, (method, arguments) -> switch (method) {
                                case "getStatus" -> 200;
                                case "getHeaders" -> headers;
                                case "hasEntity" -> true;
                                default -> null;
                            }));
            assertThat(headers.get("Server-Timing")).hasSize(2).contains("db;dur=3");
        }
    }

    static class Base {
        @RateLimited(name = "base", key = "{ip}", algorithm = Algorithm.GCRA, limit = 5, window = "1s")
        public void get() {}
    }

    interface Face {
        @GET
        @RateLimited(name = "face", key = "{ip}", algorithm = Algorithm.GCRA, limit = 5, window = "1s")
        void get();
    }

    static class Both extends Base implements Face {
        @Override
        public void get() {}
    }

    /** As the specification has it for its own annotations. */
    @Test
    void theSuperClassGoesBeforeTheInterface() throws NoSuchMethodException {
        assertThat(AnnotationFinder.on(Both.class, Both.class.getMethod("get")).limits())
                .extracting(found -> found.limited().name())
                .containsExactly("base");
    }

    @Test
    void theFirstLimitOfAPolicyIsItsLimit() {
        PolicyDeclaration declaration = new PolicyDeclaration(
                PolicyMembers.of("p", Algorithm.GCRA, 5), DeclaredWindow.of(Duration.ofSeconds(1)), Map.of(), false);
        ReloadablePolicy policy =
                new ReloadablePolicy(declaration, PolicyVersion.of(declaration, true, true, List.of()));
        assertThat(policy.choice()).isNull();
        ReloadablePolicy.Choice first = new ReloadablePolicy.Choice(KeyExpression.compile("{ip}"), null);
        policy.chosenBy(first);
        policy.chosenBy(new ReloadablePolicy.Choice(KeyExpression.compile("{user}"), null));
        assertThat(policy.choice()).isSameAs(first);
    }
}
