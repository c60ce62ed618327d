package dev.limiter.servers;

import static dev.limiter.servers.Http.remaining;
import static dev.limiter.servers.Http.to;
import static dev.limiter.servers.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A limit that has the quota of each customer's contract. Rejections are cached. A first answer
 * may be late on a slow machine: then the annotation's 50 hold, so tests wait until a number is
 * in force.
 */
interface ContractQuota extends Instances {
    Duration HANGS = Duration.ofSeconds(5);

    /** A customer of both instances, and how many of its requests were admitted. */
    final class Customer {
        private final ContractQuota test;
        private final String name;
        private int admitted;

        Customer(ContractQuota test, String name) {
            this.test = test;
            this.name = name;
        }

        void buys(String quota) {
            test.settings().set(test.one(), "sold." + name, quota);
        }

        void awaitLimit(int limit) {
            test.awaitOnBoth(this::policy, field(limit));
        }

        /** Until both instances reject. */
        void spendAll() {
            int rejections = 0;
            while (rejections < 2) {
                rejections = 0;
                for (URL instance : List.of(test.one(), test.other())) {
                    rejections += get(instance).statusCode() == 429 ? 1 : 0;
                }
            }
        }

        /** No request fails: it is admitted, or rejected by its limit. */
        Response get(URL instance) {
            Response response = to(instance).get("sold/" + name);
            assertThat(response.statusCode()).as(name).isIn(200, 429);
            admitted += response.statusCode() == 200 ? 1 : 0;
            return response;
        }

        String policy(URL instance) {
            return get(instance).header("RateLimit-Policy");
        }
    }

    @ParameterizedTest
    @CsvSource({"small, 60", "large, 75"})
    default void eachCustomerHasTheQuotaOfTheContractOnBothNodesTogether(String name, int limit) {
        Customer customer = new Customer(this, name);
        customer.buys(Integer.toString(limit));
        customer.awaitLimit(limit);
        customer.spendAll();
        assertThat(customer.admitted).isEqualTo(limit);
    }

    @Test
    default void aRaiseIsInForceOnBothNodesAfterTheCacheTimeAndWhatIsUsedStaysUsed() {
        Customer raised = new Customer(this, "raised");
        raised.buys("75");
        raised.awaitLimit(75);
        raised.spendAll();
        assertThat(raised.admitted).isEqualTo(75);
        assertThat(raised.get(other()).statusCode()).isEqualTo(429);

        raised.buys("90");
        raised.awaitLimit(90);
        Response next = raised.get(one());
        assertThat(remaining(next, "plan")).isEqualTo(90 - raised.admitted);
        raised.spendAll();
        assertThat(raised.admitted).isEqualTo(90);
    }

    @Test
    default void anUnlimitedCustomerIsNotCounted() {
        Customer partner = new Customer(this, "partner");
        partner.buys("unlimited");
        await().atMost(PATIENCE).until(() -> partner.policy(one()) == null);
        int before = partner.admitted;
        for (int i = 0; i < 60; i++) {
            partner.get(one());
        }
        assertThat(partner.admitted).isEqualTo(before + 60);
    }

    @ParameterizedTest
    @CsvSource({"throws, thrown", "nonsense, invalid"})
    default void aFailingBeanFailsNoRequestAndIsCounted(String wrong, String reason) {
        Customer known = new Customer(this, wrong + "-known");
        Customer fresh = new Customer(this, wrong + "-fresh");
        known.buys("75");
        known.awaitLimit(75);
        fresh.buys(wrong);
        known.buys(wrong);
        long before = failures(reason);
        await().atMost(PATIENCE).until(() -> {
            assertThat(fresh.policy(one())).isEqualTo(field(50));
            assertThat(known.policy(one())).isEqualTo(field(75));
            return failures(reason) >= before + 4; // each customer's second failure comes a cache time later
        });
        known.buys("90");
        fresh.buys("60");
        known.awaitLimit(90);
        fresh.awaitLimit(60);
    }

    /** The test lets the bean go when it has seen the requests return. */
    @Test
    @Tag("faults")
    default void requestsReturnWhileTheBeanHangsForFiveSecondsAndEachCallIsCountedOnce() {
        Customer patient = new Customer(this, "patient");
        Customer hanging = new Customer(this, "hanging");
        patient.buys("75");
        patient.awaitLimit(75);
        long before = failures("slow");
        hanging.buys("hangs");
        patient.buys("hangs");
        await().atMost(PATIENCE).until(() -> {
            assertThat(hanging.policy(one())).isEqualTo(field(50));
            assertThat(patient.policy(one())).isEqualTo(field(75));
            return failures("slow") == before + 2;
        });
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < HANGS.toNanos()) {
            assertThat(hanging.policy(one())).isEqualTo(field(50));
            assertThat(patient.policy(one())).isEqualTo(field(75));
        }
        assertThat(failures("slow")).as("one call for each").isEqualTo(before + 2);
        hanging.buys("60");
        patient.buys("90");
        to(one()).put("gate");
        to(one()).put("gate");
        hanging.awaitLimit(60);
        patient.awaitLimit(90);
    }

    private static String field(int limit) {
        return "\"plan\";q=" + limit + ";w=3600";
    }

    private long failures(String reason) {
        return Long.parseLong(to(one()).get("meters/quota/" + reason).asString());
    }
}
