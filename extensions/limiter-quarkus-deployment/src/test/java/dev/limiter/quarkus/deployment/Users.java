package dev.limiter.quarkus.deployment;

import io.quarkus.test.QuarkusUnitTest;

/** The users ann and bob, whose passwords are their names. */
final class Users {
    private Users() {}

    static QuarkusUnitTest with(QuarkusUnitTest application) {
        return application
                .overrideConfigKey("quarkus.http.auth.basic", "true")
                .overrideConfigKey("quarkus.security.users.embedded.enabled", "true")
                .overrideConfigKey("quarkus.security.users.embedded.plain-text", "true")
                .overrideConfigKey("quarkus.security.users.embedded.users.ann", "ann")
                .overrideConfigKey("quarkus.security.users.embedded.users.bob", "bob");
    }
}
