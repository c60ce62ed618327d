package dev.limiter.quarkus.deployment;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.limiter.RateLimited;
import dev.limiter.quarkus.RestApplication;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where Quarkus authenticates after matching, limits stand before and after it. */
class LateAuthenticationTest {
    private static final String[] ANN = Client.basic("ann", "ann");
    private static final String[] BOB = Client.basic("bob", "bob");
    private static final String[] WRONG = Client.basic("ann", "guess");

    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = Users.with(Redis.with(new QuarkusUnitTest()
            .withApplicationRoot(jar -> jar.addClasses(Client.class, Redis.class, Users.class, Login.class, Held.class))
            .overrideConfigKey("quarkus.http.auth.proactive", "false")
            .overrideConfigKey("quarkus.http.auth.permission.held.paths", "/held/*")
            .overrideConfigKey("quarkus.http.auth.permission.held.policy", "authenticated")
            .overrideConfigKey("quarkus.http.proxy.proxy-address-forwarding", "true")
            .overrideConfigKey("limiter.lease", "1s")
            .setLogRecordPredicate(line -> line.getMessage().contains("before authentication"))
            .assertLogRecords(lines -> assertThat(lines)
                    .flatExtracting(line -> List.of(line.getParameters()))
                    .containsExactlyInAnyOrder(
                            Login.Sub.class.getName(), "quarkus.http.auth.permission.held.policy"))));

    @TestHTTPResource
    URI root;

    @Inject
    RestApplication application;

    private Client client() {
        return new Client(root);
    }

    @Path("located")
    public static class Located {
        @GET
        public String get() {
            return "located";
        }

        /** What it returns has a limit; what it says to return has none. */
        @Path("again")
        public Located again() {
            return new Limited();
        }
    }

    public static class Limited extends Located {
        @Override
        @RateLimited(name = "located", key = "{ip}", algorithm = FIXED_WINDOW, limit = 1, window = "1d")
        public String get() {
            return super.get();
        }
    }

    @Test
    void limitOfWhatALocatorReturnsHolds() {
        assertThat(client().statuses(2, "/located/again")).containsExactly(200, 429);
        assertThat(client().statuses(2, "/located")).containsOnly(200);
        assertThat(application.free()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/login/method", "/login/uni", "/login/sub", "/described"})
    void wrongPasswordsAreCountedBeforeTheyAreRefused(String path) {
        assertThat(client().statuses(5, path, WRONG)).containsExactly(401, 401, 401, 429, 429);
        assertThat(client().get(path, ANN).statusCode()).isEqualTo(429);
    }

    @Test
    void rightPasswordsComeBack() {
        assertThat(client().statuses(5, "/login/guesses", ANN)).containsOnly(200);
        assertThat(client().statuses(4, "/login/guesses", WRONG)).containsExactly(401, 401, 401, 429);
    }

    @Test
    void callerIsKnownWhereALimitAsks() {
        HttpResponse<String> first = client().get("/login/who", ANN);
        assertThat(first.body()).startsWith("vert.x-eventloop-thread");
        assertThat(client().statuses(2, "/login/who", ANN)).containsExactly(200, 429);
        assertThat(client().get("/login/who", BOB).statusCode()).isEqualTo(200);
        assertThat(client().statuses(3, "/login/who")).containsExactly(200, 200, 429);
        assertThat(client().get("/login/who", WRONG).statusCode()).isEqualTo(401);
    }

    @Test
    void callerIsNotAskedForOtherwise() {
        assertThat(client().statuses(3, "/login/anybody", WRONG)).containsExactly(200, 200, 429);
    }

    /** Quarkus would believe the header, whoever sent it. */
    @Test
    void clientNamesNoOtherAddress() {
        assertThat(client().get("/login/address", "X-Forwarded-For", "192.0.2.1")
                        .statusCode())
                .isEqualTo(200);
        assertThat(client().get("/login/address", "X-Forwarded-For", "192.0.2.2")
                        .statusCode())
                .isEqualTo(429);
    }

    @Test
    void leaseIsRenewedWhileAUniRuns() {
        CompletableFuture<HttpResponse<String>> first = client().begin("/held/uni", ANN);
        await().until(() -> Held.BEGUN.get() == 1);
        await().during(Duration.ofMillis(2200))
                .until(() -> client().get("/held/uni", ANN).statusCode() == 429);
        Held.end.complete("done");
        assertThat(first.join().statusCode()).isEqualTo(200);
        await().until(() -> client().get("/held/uni", ANN).statusCode() == 200);
    }
}
