package dev.limiter.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.RateLimiter;
import dev.limiter.jaxrs.DeployedLimits;
import dev.limiter.quarkus.RestApplication;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import io.smallrye.jwt.build.Jwt;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each kind of method answers, and where it runs. */
class TableTest {
    private static final String WORKER = "executor-thread";
    private static final String EVENT_LOOP = "vert.x-eventloop-thread";

    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = Users.with(Redis.with(new QuarkusUnitTest()
            .withApplicationRoot(jar -> jar.addClasses(Client.class, Redis.class, Users.class, Table.class))
            .overrideConfigKey("limiter.trusted-proxies", "127.0.0.1")
            .overrideConfigKey("%test.limiter.policy.stage.limit", "1")
            .overrideConfigKey("limiter.policy.account.key", "{attribute:none}")
            .overrideConfigKey("limiter.policy.account.algorithm", "FIXED_WINDOW")
            .overrideConfigKey("limiter.policy.account.limit", "1")
            .overrideConfigKey("limiter.policy.account.window", "1d")));

    @TestHTTPResource
    URI root;

    @Inject
    RateLimiter limiter;

    @Inject
    DeployedLimits deployed;

    @Inject
    RestApplication application;

    private Client client() {
        return new Client(root);
    }

    @Test
    void blockingMethodIsDecidedWhereItRuns() {
        HttpResponse<String> first = client().get("/table/blocking");
        assertThat(first.body()).contains(WORKER);
        assertThat(first.headers().firstValue("RateLimit"))
                .hasValueSatisfying(rest -> assertThat(rest).startsWith("\"blocking\";r=2;t="));
        assertThat(first.headers().firstValue("RateLimit-Policy")).hasValue("\"blocking\";q=3;w=86400");
        assertThat(client().statuses(2, "/table/blocking")).containsExactly(200, 200);
        HttpResponse<String> fourth = client().get("/table/blocking");
        assertThat(fourth.statusCode()).isEqualTo(429);
        assertThat(fourth.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(fourth.headers().firstValue("Retry-After")).isPresent();
        assertThat(client().get("/table/blocking", "X-Forwarded-For", "192.0.2.7")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void uniRunsOnTheEventLoop() {
        assertThat(client().get("/table/uni").body()).contains(EVENT_LOOP);
        assertThat(client().statuses(3, "/table/uni")).containsExactly(200, 200, 429);
    }

    @Test
    void methodWithoutLimitsStaysOnTheEventLoop() {
        HttpResponse<String> answer = client().get("/table/free");
        assertThat(answer.body()).contains(EVENT_LOOP);
        assertThat(answer.headers().firstValue("RateLimit")).isEmpty();
    }

    @Test
    void stageIsLimitedAsTheProfileSays() {
        HttpResponse<String> first = client().get("/table/stage");
        assertThat(first.body()).contains(EVENT_LOOP);
        assertThat(client().get("/table/stage").statusCode()).isEqualTo(429);
        assertThat(deployed.policy("stage").limit()).isEqualTo(1);
    }

    @Test
    void eventsTellTheRest() {
        HttpResponse<String> first = client().get("/table/multi");
        assertThat(first.body()).contains(EVENT_LOOP);
        assertThat(first.headers().firstValue("RateLimit").orElse("")).startsWith("\"multi\";r=0;");
        HttpResponse<String> second = client().get("/table/multi");
        assertThat(second.statusCode()).isEqualTo(429);
        assertThat(second.headers().allValues("RateLimit")).hasSize(1);
        assertThat(second.headers().firstValue("Retry-After")).isPresent();
    }

    @Test
    void userIsTheIdentity() {
        assertThat(client().get("/table/user").statusCode()).isEqualTo(401);
        assertThat(client().get("/table/user", Client.basic("ann", "ann")).body())
                .contains(EVENT_LOOP);
        assertThat(client().statuses(2, "/table/user", Client.basic("ann", "ann")))
                .containsExactly(200, 429);
        assertThat(client().get("/table/user", Client.basic("bob", "bob")).statusCode())
                .isEqualTo(200);
    }

    @Test
    void claimsOfATokenChooseKeyAndTier() {
        String[] gold = token("acme", "gold");
        assertThat(client().statuses(4, "/table/claim", gold)).containsExactly(200, 200, 200, 429);
        assertThat(client().statuses(2, "/table/claim", token("other", "none"))).containsExactly(200, 429);
    }

    private static String[] token(String tenant, String plan) {
        String token =
                Jwt.upn("ann").claim("tenant", tenant).claim("plan", plan).sign();
        return new String[] {"Authorization", "Bearer " + token};
    }

    @ParameterizedTest
    @ValueSource(strings = {"status", "status-uni"})
    void unitsOfOtherStatusesComeBackBeforeTheAnswer(String kind) {
        List<Integer> statuses = Stream.of(200, 200, 204, 200, 200, 200, 401, 401, 401)
                .map(status -> client().get("/table/" + kind + "/x/" + status).statusCode())
                .toList();
        assertThat(statuses).containsExactly(200, 200, 204, 200, 200, 200, 401, 401, 429);
    }

    @Test
    void answerThatCannotBeWrittenCountsByTheOneInItsPlace() {
        assertThat(client().statuses(2, "/table/unwritable")).containsExactly(500, 429);
    }

    @Test
    void failureWithoutMapperTellsTheRest() {
        HttpResponse<String> first = client().get("/table/failing");
        assertThat(first.statusCode()).isEqualTo(500);
        assertThat(first.headers().firstValue("RateLimit").orElse("")).startsWith("\"failing\";r=0;");
        assertThat(client().get("/table/failing").statusCode()).isEqualTo(429);
    }

    @Test
    void slotIsAwaitedElsewhere() {
        assertThat(Stream.generate(() -> client().begin("/table/slot")).limit(3).toList())
                .extracting(CompletableFuture::join)
                .allSatisfy(answer -> assertThat(answer.body()).contains(EVENT_LOOP))
                .anySatisfy(answer -> assertThat(
                                answer.headers().firstValue("Server-Timing").orElse(""))
                        .contains("dur="));
    }

    @Test
    void beanOfTheRequestMakesTheKey() {
        assertThat(client().statuses(2, "/table/bean", "Tenant", "acme")).containsExactly(200, 429);
        assertThat(client().get("/table/bean", "Tenant", "other").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"form", "form-uni", "form-body"})
    void fieldIsCountedAndTheMethodReadsIt(String kind) {
        HttpResponse<String> first =
                client().post("/table/" + kind, "username=ann" + ("&x=" + "y".repeat(1_000)).repeat(20));
        assertThat(first.body()).contains("ann").contains(kind.equals("form") ? WORKER : EVENT_LOOP);
        assertThat(client().post("/table/" + kind, "username=ann").statusCode()).isEqualTo(429);
        assertThat(client().post("/table/" + kind, "username=bob").body()).contains("bob");
        assertThat(client().post("/table/" + kind, "username=" + "z".repeat(70_000))
                        .statusCode())
                .isEqualTo(413);
    }

    @Test
    void methodWithoutLimitsMayAcquire() {
        HttpResponse<String> first = client().get("/table/code/a");
        assertThat(first.headers().firstValue("RateLimit").orElse("")).startsWith("\"account\";r=0;");
        HttpResponse<String> second = client().get("/table/code/a");
        assertThat(second.statusCode()).isEqualTo(429);
        assertThat(second.headers().firstValue("Retry-After")).isPresent();
        assertThat(client().get("/table/code/b").statusCode()).isEqualTo(200);
    }

    @Test
    void eventLoopIsNotHeldByCode() {
        HttpResponse<String> answer = client().get("/table/code-uni/a");
        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).contains("annotate the method with @Blocking");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mail", "mail-uni"})
    void methodOfABeanIsLimited(String kind) {
        assertThat(client().get("/table/" + kind + "/ann").body()).contains(kind.equals("mail") ? WORKER : EVENT_LOOP);
        HttpResponse<String> second = client().get("/table/" + kind + "/ann");
        assertThat(second.statusCode()).isEqualTo(429);
        assertThat(second.headers().firstValue("Retry-After")).isPresent();
        assertThat(client().get("/table/" + kind + "/bob").statusCode()).isEqualTo(200);
    }

    @Test
    void limitOnAnInterfaceHolds() {
        assertThat(client().statuses(3, "/interface/exempt")).containsOnly(200);
        assertThat(client().statuses(2, "/interface")).containsExactly(200, 429);
        assertThat(client().post("/interface", "a").statusCode()).isEqualTo(200);
        HttpResponse<String> second = client().post("/interface", "a");
        assertThat(second.statusCode()).isEqualTo(429);
        assertThat(second.body()).contains("generic");
    }

    @Test
    void metersAndHealthAreThere() {
        client().get("/table/stage");
        assertThat(client().get("/q/metrics").body()).contains("limiter_decisions_total{outcome=");
        assertThat(client().get("/q/health/ready").body())
                .contains("rate-limiter")
                .contains("reachable");
    }

    @Test
    void beansAreThere() {
        assertThat(limiter.toString()).isNotEmpty();
        assertThat(deployed.policyNames()).contains("uni", "account");
        assertThat(deployed.endpoints())
                .anySatisfy(each -> assertThat(each.path()).isEqualTo("/table/free"));
        assertThat(application.free()).isEmpty(); // since the code asks for limits
    }
}
