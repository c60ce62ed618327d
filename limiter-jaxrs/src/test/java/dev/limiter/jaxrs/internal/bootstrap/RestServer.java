package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.RateLimiter;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.RateLimitFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.ext.Providers;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jboss.resteasy.core.ResteasyContext;
import org.jboss.resteasy.mock.MockDispatcherFactory;
import org.jboss.resteasy.mock.MockHttpRequest;
import org.jboss.resteasy.mock.MockHttpResponse;
import org.jboss.resteasy.spi.Dispatcher;
import org.jboss.resteasy.spi.ResteasyProviderFactory;

/**
 * RESTEasy with the limiter in force, for requests that go through its filters and through no
 * network.
 */
public final class RestServer implements AutoCloseable {
    private final Dispatcher dispatcher = MockDispatcherFactory.createDispatcher();
    private final ApplicationRuntime runtime;
    private Application application = new Application() {};
    private volatile long nanos;

    /**
     * @param limiterComesFirst whether the limiter is registered before the providers, otherwise
     *     after them
     * @param resource receives the requests
     * @param providers filters and mappers of the service; before the limiter its application, too
     */
    public RestServer(MapSettings settings, boolean limiterComesFirst, Object resource, Object... providers) {
        this(settings, ServerContext.ofServlets("", () -> {}), limiterComesFirst, resource, providers);
    }

    /** @param server the data of the server about the application */
    RestServer(
            MapSettings settings,
            ServerContext server,
            boolean limiterComesFirst,
            Object resource,
            Object... providers) {
        runtime = new ApplicationRuntime(settings, server, () -> nanos);
        if (limiterComesFirst) {
            registerLimiter();
        }
        for (Object provider : providers) {
            application = provider instanceof Application own ? own : application;
            dispatcher.getProviderFactory().register(provider);
        }
        if (!limiterComesFirst) {
            registerLimiter();
        }
        dispatcher.getRegistry().addSingletonResource(resource);
    }

    private void registerLimiter() {
        ResteasyProviderFactory factory = dispatcher.getProviderFactory();
        ResteasyContext.pushContext(Application.class, application);
        Limits feature = new Limits();
        factory.injectProperties(feature);
        factory.register(feature);
    }

    /** As {@link RateLimitFeature}, but for a deployment that the test knows. */
    private final class Limits implements Feature {
        @Context
        private ResourceInfo matched;

        @Context
        private HttpHeaders headers;

        @Context
        private Providers providers;

        @Override
        public boolean configure(FeatureContext context) {
            new RestComponents(matched, application, headers, providers)
                    .register(context, runtime, () -> "192.0.2.1", Map::of);
            return true;
        }
    }

    /** Lets configuration become due to be read again. */
    public void passes(Duration span) {
        nanos += span.toNanos();
    }

    /** Whether a filter of this type takes part in requests. */
    public boolean hasFilter(Class<?> type) {
        return dispatcher.getProviderFactory().getConfiguration().getInstances().stream()
                .anyMatch(type::isInstance);
    }

    public ApplicationRuntime deployment() {
        return runtime;
    }

    public RateLimiter limiter() {
        return runtime.limiter();
    }

    /**
     * The response to a request.
     *
     * @param headers of the request
     */
    public Answered ask(String method, String path, Map<String, String> headers) {
        return ask(method, path, headers, Map.of());
    }

    public Answered get(String path) {
        return ask("GET", path, Map.of());
    }

    /**
     * The response to a request with attributes of a servlet container.
     *
     * @param headers of the request
     */
    public Answered ask(String method, String path, Map<String, String> headers, Map<String, Object> attributes) {
        return ask(method, path, headers, attributes, new ByteArrayOutputStream());
    }

    /**
     * The response to a request whose body goes to a given stream.
     *
     * @param body takes the body of the response
     */
    public Answered ask(
            String method,
            String path,
            Map<String, String> headers,
            Map<String, Object> attributes,
            OutputStream body) {
        try {
            MockHttpRequest request = MockHttpRequest.create(method, path);
            request.content(new byte[0]);
            headers.forEach(request::header);
            attributes.forEach(request::setAttribute);
            MockHttpResponse response = new MockHttpResponse();
            response.setOutputStream(body);
            dispatcher.invoke(request, response);
            return new Answered(response, body);
        } catch (URISyntaxException wrong) {
            throw new AssertionError(wrong);
        }
    }

    /** A response. */
    public record Answered(MockHttpResponse response, OutputStream body) {
        public int status() {
            return response.getStatus();
        }

        /** The only value of a header; null without one. */
        public String header(String name) {
            Object value = response.getOutputHeaders().getFirst(name);
            return value == null ? null : value.toString();
        }

        public String text() {
            return ((ByteArrayOutputStream) body).toString(StandardCharsets.UTF_8);
        }
    }

    @Override
    public void close() {
        runtime.close();
        runtime.limiter().close();
        ResteasyContext.clearContextData();
    }
}
