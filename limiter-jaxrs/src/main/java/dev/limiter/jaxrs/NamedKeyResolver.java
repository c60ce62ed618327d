package dev.limiter.jaxrs;

/** The CDI bean behind <code>{bean:tenantKey}</code>, looked up once: a proxy finds the instance of its scope. */
final class NamedKeyResolver {
    private final String name;
    private volatile KeyResolver found;

    NamedKeyResolver(String name) {
        this.name = name;
    }

    static boolean exists(String name) {
        return Surroundings.bean(KeyResolver.class, name).isPresent();
    }

    String key(LimitedRequest request) {
        if (found == null) {
            found = Surroundings.bean(KeyResolver.class, name)
                    .orElseThrow(() -> new IllegalStateException("the bean \"" + name + "\" is gone"));
        }
        return found.key(request);
    }
}
