package dev.limiter.quarkus.deployment;

import io.quarkus.test.QuarkusProdModeTest;
import io.quarkus.test.QuarkusUnitTest;
import java.util.Map;

/** The users ann and bob, whose passwords are their names. */
final class Users {
    private static final Map<String, String> SETTINGS = Map.of(
            "quarkus.http.auth.basic", "true",
            "quarkus.security.users.embedded.enabled", "true",
            "quarkus.security.users.embedded.plain-text", "true",
            "quarkus.security.users.embedded.users.ann", "ann",
            "quarkus.security.users.embedded.users.bob", "bob");

    private Users() {}

    static QuarkusUnitTest with(QuarkusUnitTest application) {
        SETTINGS.forEach(application::overrideConfigKey);
        return application;
    }

    static QuarkusProdModeTest with(QuarkusProdModeTest application) {
        SETTINGS.forEach(application::overrideConfigKey);
        return application;
    }
}
