package dev.limiter.quarkus;

import dev.limiter.jaxrs.internal.platform.Lazy;
import io.quarkus.arc.Arc;
import io.smallrye.mutiny.Multi;
import java.io.IOException;
import java.util.List;
import org.jboss.resteasy.reactive.common.model.ResourceClass;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.handlers.NonBlockingHandler;
import org.jboss.resteasy.reactive.server.model.HandlerChainCustomizer;
import org.jboss.resteasy.reactive.server.model.ServerResourceMethod;
import org.jboss.resteasy.reactive.server.spi.ServerRestHandler;

/**
 * Handlers around each resource method that a limit may count. The first stands before those that
 * Quarkus adds, which check who the caller is.
 */
public class LimitHandlers implements HandlerChainCustomizer {
    private static final String MULTI = Multi.class.getName();

    /** For the build. */
    public LimitHandlers() {}

    @Override
    public List<ServerRestHandler> handlers(Phase phase, ResourceClass type, ServerResourceMethod method) {
        RestApplication application =
                Arc.container().instance(RestApplication.class).get();
        if (method == null || application.isFree(type.getClassName(), method.getName())) {
            return List.of();
        }
        if (phase == Phase.AFTER_MATCH && method.getHttpMethod() != null) {
            return List.of(new BeforeAuthentication());
        }
        if (phase == Phase.BEFORE_METHOD_INVOKE && !method.isBlocking()) {
            return List.of(NonBlockingHandler.INSTANCE);
        }
        if (phase == Phase.AFTER_METHOD_INVOKE && MULTI.equals(method.getSimpleReturnType())) {
            return List.of(LimitHandlers::endWithStream);
        }
        return List.of();
    }

    private static void endWithStream(ResteasyReactiveRequestContext request) {
        RequestEnd end = RequestEnd.of(request);
        if (end != null) {
            end.endWithStream();
        }
    }

    /** Decides limits before authentication, such as those on guesses of passwords. */
    private static final class BeforeAuthentication implements ServerRestHandler {
        private final Lazy<Decisions> decisions =
                new Lazy<>(() -> Arc.container().instance(Decisions.class).get());

        @Override
        public void handle(ResteasyReactiveRequestContext request) throws IOException {
            decisions.get().beforeAuthentication(request);
        }
    }

    /** Ends leases where an exception is mapped, or is not. */
    public static class Failure implements ServerRestHandler {
        /** For the build. */
        public Failure() {}

        @Override
        public void handle(ResteasyReactiveRequestContext request) {
            RequestEnd end = RequestEnd.of(request);
            if (end != null) {
                end.failed();
            }
        }
    }
}
