package dev.limiter.servers;

import static dev.limiter.servers.Http.remaining;
import static dev.limiter.servers.Http.to;
import static dev.limiter.servers.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.OperateOnDeployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two instances of one application, whose limit has the quota of each customer's contract.
 * Rejections are cached. A first answer may be late on a slow machine: then the annotation's 50
 * hold, so tests wait until a number is in force.
 */
@ExtendWith(ArquillianExtension.class)
class ContractQuotaIT {
    /** The cache time is 1 s; the rest is for a slow machine. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Duration HANGS = Duration.ofSeconds(5);

    private final LiveSettings settings = new LiveSettings();
    private int admitted;

    @ArquillianResource
    @OperateOnDeployment("one")
    private URL one;

    @ArquillianResource
    @OperateOnDeployment("other")
    private URL other;

    @Deployment(name = "one", testable = false)
    static WebArchive deployOne() {
        return instance("sold-one");
    }

    @Deployment(name = "other", testable = false)
    static WebArchive deployOther() {
        return instance("sold-other");
    }

    private static WebArchive instance(String name) {
        Map<String, String> settings =
                Map.of("limiter.application", "sold", "limiter.quota.cache", "1s", "limiter.cache-rejections", "true");
        WebArchive war = Wars.of(
                name,
                settings,
                "SoldQuotas",
                "SoldResource",
                "MetersResource",
                "SettingsResource",
                "Gate",
                "GateResource");
        return Wars.addMicrometer(war);
    }

    @BeforeEach
    void emptyRedis() {
        SharedRedis.empty();
    }

    @AfterEach
    void asItWas() {
        settings.clearAll(one);
    }

    @ParameterizedTest
    @CsvSource({"small, 60", "large, 75"})
    void eachCustomerHasTheQuotaOfTheContractOnBothNodesTogether(String customer, int limit) {
        sell(customer, Integer.toString(limit));
        awaitOnBoth(customer, limit);
        spendAll(customer);
        assertThat(admitted).isEqualTo(limit);
    }

    @Test
    void aRaiseIsInForceOnBothNodesAfterTheCacheTimeAndWhatIsUsedStaysUsed() {
        sell("raised", "75");
        awaitOnBoth("raised", 75);
        spendAll("raised");
        assertThat(admitted).isEqualTo(75);
        assertThat(get(other, "raised").statusCode()).isEqualTo(429);

        sell("raised", "90");
        awaitOnBoth("raised", 90);
        Response next = get(one, "raised");
        assertThat(remaining(next, "plan")).isEqualTo(90 - admitted);
        spendAll("raised");
        assertThat(admitted).isEqualTo(90);
    }

    @Test
    void anUnlimitedCustomerIsNotCounted() {
        sell("partner", "unlimited");
        await().atMost(PATIENCE).until(() -> policy(one, "partner") == null);
        int before = admitted;
        for (int i = 0; i < 60; i++) {
            get(one, "partner");
        }
        assertThat(admitted).isEqualTo(before + 60);
    }

    @ParameterizedTest
    @CsvSource({"throws, thrown", "nonsense, invalid"})
    void aFailingBeanFailsNoRequestAndIsCounted(String wrong, String reason) {
        String known = wrong + "-known";
        String fresh = wrong + "-fresh";
        sell(known, "75");
        awaitOnBoth(known, 75);
        sell(fresh, wrong);
        sell(known, wrong);
        long before = failures(reason);
        await().atMost(PATIENCE).until(() -> {
            assertThat(policy(one, fresh)).isEqualTo(field(50));
            assertThat(policy(one, known)).isEqualTo(field(75));
            return failures(reason) >= before + 4; // each customer's second failure comes a second later
        });
        sell(known, "90");
        sell(fresh, "60");
        awaitOnBoth(known, 90);
        awaitOnBoth(fresh, 60);
    }

    /** The test lets the bean go when it has seen the requests return. */
    @Test
    @Tag("faults")
    void requestsReturnWhileTheBeanHangsForFiveSecondsAndEachCallIsCountedOnce() {
        sell("patient", "75");
        awaitOnBoth("patient", 75);
        long before = failures("slow");
        sell("hanging", "hangs");
        sell("patient", "hangs");
        await().atMost(PATIENCE).until(() -> {
            assertThat(policy(one, "hanging")).isEqualTo(field(50));
            assertThat(policy(one, "patient")).isEqualTo(field(75));
            return failures("slow") == before + 2;
        });
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < HANGS.toNanos()) {
            assertThat(policy(one, "hanging")).isEqualTo(field(50));
            assertThat(policy(one, "patient")).isEqualTo(field(75));
        }
        assertThat(failures("slow")).as("one call for each").isEqualTo(before + 2);
        sell("hanging", "60");
        sell("patient", "90");
        to(one).put("gate");
        to(one).put("gate");
        awaitOnBoth("hanging", 60);
        awaitOnBoth("patient", 90);
    }

    private void sell(String customer, String quota) {
        settings.set(one, "sold." + customer, quota);
    }

    private void awaitOnBoth(String customer, int limit) {
        LiveSettings.awaitOnEach(List.of(one, other), PATIENCE, instance -> policy(instance, customer), field(limit));
    }

    /** Until both instances reject. */
    private void spendAll(String customer) {
        int rejections = 0;
        while (rejections < 2) {
            rejections = 0;
            for (URL instance : List.of(one, other)) {
                rejections += get(instance, customer).statusCode() == 429 ? 1 : 0;
            }
        }
    }

    private static String field(int limit) {
        return "\"plan\";q=" + limit + ";w=3600";
    }

    private String policy(URL instance, String customer) {
        return get(instance, customer).header("RateLimit-Policy");
    }

    /** No request fails: it is admitted, or rejected by its limit. */
    private Response get(URL instance, String customer) {
        Response response = to(instance).get("sold/" + customer);
        assertThat(response.statusCode()).as(customer).isIn(200, 429);
        admitted += response.statusCode() == 200 ? 1 : 0;
        return response;
    }

    private long failures(String reason) {
        return Long.parseLong(to(one).get("meters/quota/" + reason).asString());
    }
}
