package dev.limiter.jaxrs.internal.key;

import dev.limiter.jaxrs.KeyResolver;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.internal.platform.Platform;

/**
 * The CDI bean behind <code>{bean:tenantKey}</code>, looked up once: a proxy finds the instance
 * of its scope.
 */
public final class KeyResolverBean {
    private final String name;
    private volatile KeyResolver found;

    KeyResolverBean(String name) {
        this.name = name;
    }

    public static boolean exists(String name) {
        return Platform.bean(KeyResolver.class, name).isPresent();
    }

    String key(LimitedRequest request) {
        if (found == null) {
            found = Platform.bean(KeyResolver.class, name)
                    .orElseThrow(() -> new IllegalStateException("the bean \"" + name + "\" is gone"));
        }
        return found.key(request);
    }
}
