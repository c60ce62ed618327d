package dev.limiter.cdi.internal;

import dev.limiter.cdi.CallUser;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.internal.bootstrap.CurrentLimits;
import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.jaxrs.internal.request.RequestState;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.eclipse.microprofile.jwt.JsonWebToken;

/**
 * On whose behalf a method is called: the user of the request at hand if Jakarta REST or a servlet
 * with limits serves one, else whom the server or the container names.
 */
final class CurrentUser {
    private static final boolean HAS_TOKENS = Platform.isPresent("org.eclipse.microprofile.jwt.JsonWebToken");
    private static final CallUser OF_SERVER = ServiceLoader.load(CallUser.class, CurrentUser.class.getClassLoader())
            .findFirst()
            .orElse(() -> null);

    private CurrentUser() {}

    /** Null for none. */
    static Principal get() {
        LimitedRequest request = request();
        return request != null
                ? request.user()
                : Stream.<Supplier<Principal>>of(
                                OF_SERVER::user,
                                () -> Platform.hasServlets() ? Servlets.user() : null,
                                () -> HAS_TOKENS ? Tokens.user() : null,
                                () -> bean(Principal.class))
                        .map(CurrentUser::named)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
    }

    /** The request at hand, as its limits saw it; null for none. */
    static LimitedRequest request() {
        RequestState request = CurrentLimits.ofRequest();
        return request == null ? null : request.limits().caller();
    }

    /**
     * A user with a name. Containers say by exceptions of their own that there is none: whoever
     * cannot be named is nobody, and shares the quota of nobody.
     */
    private static Principal named(Supplier<Principal> container) {
        try {
            Principal user = container.get();
            return user == null || user.getName() == null || user.getName().isEmpty() ? null : user;
        } catch (RuntimeException none) {
            return null;
        }
    }

    private static <T> T bean(Class<T> type) {
        Instance<T> found = CDI.current().select(type);
        return found.isResolvable() ? found.get() : null;
    }

    /** A class of its own, so that its types are loaded only where they exist. */
    private static final class Servlets {
        static Principal user() {
            HttpServletRequest request = bean(HttpServletRequest.class);
            return request == null ? null : request.getUserPrincipal();
        }
    }

    /** The same. A bean of type Principal would not have the claims. */
    private static final class Tokens {
        static Principal user() {
            return bean(JsonWebToken.class);
        }
    }
}
