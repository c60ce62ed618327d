package dev.limiter.servers;

import static dev.limiter.servers.Http.remaining;
import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Methods and filters that ask a policy by themselves; configuration alone declares it. */
interface RateLimits extends Topic {
    Policy CARRIER = Policy.of("carrier", Algorithm.SLIDING_LOG, 3, Duration.ofHours(1));
    Policy ROWS = Policy.of("rows", Algorithm.SLIDING_LOG, 10, Duration.ofHours(1));
    Policy BOOKINGS = Policy.of("bookings", Algorithm.SLIDING_LOG, 100, Duration.ofHours(1));

    @Test
    default void aMethodIsAnsweredAsTheFilterAnswers() {
        limitsAnAccount(account -> to(server()).body(account).post("carrier"));
        assertThat(charged().units(BOOKINGS))
                .as("what was decided before the method stays taken")
                .isEqualTo(5);
    }

    @Test
    default void aFilterOfTheServiceIsAnsweredAsTheFilterAnswers() {
        limitsAnAccount(account -> to(server()).header("Account", account).get("carrier/filtered"));
    }

    /** The filter asks the policy of the method, for another key in each request. */
    @Test
    default void whatAFilterAcquiresDoesNotReplaceTheLimitOfTheMethod() {
        for (int i = 0; i < 12; i++) {
            Response response = to(server())
                    .header("Policy", "rows")
                    .header("Account", "a" + i)
                    .get("carrier/rows/0");
            assertThat(response.statusCode()).as("after %d", i).isEqualTo(i < 10 ? 200 : 429);
            assertThat(charged().units(ROWS, PartitionKey.of("key", "a" + i))).isEqualTo(1);
        }
        assertThat(charged().units(ROWS)).isEqualTo(10);
    }

    private void limitsAnAccount(Function<String, Response> request) {
        for (int left = 2; left >= 0; left--) {
            Response admitted = request.apply("a");
            assertThat(admitted.statusCode()).isEqualTo(200);
            assertThat(admitted.header("RateLimit-Policy")).contains("\"carrier\";q=3;w=3600");
            assertThat(remaining(admitted, "carrier")).isEqualTo(left);
        }
        Response rejected = request.apply("a");
        assertThat(rejected.statusCode()).isEqualTo(429);
        assertThat(remaining(rejected, "carrier")).isZero();
        assertThat(Integer.parseInt(rejected.header("Retry-After"))).isBetween(3_400, 3_600);
        assertThat(rejected.contentType()).isEqualTo("application/problem+json");
        assertThat(rejected.violatedPolicies()).containsExactly("carrier");
        assertThat(request.apply("b").statusCode()).isEqualTo(200);
        assertThat(charged().units(CARRIER, PartitionKey.of("key", "a"))).isEqualTo(3);
        assertThat(charged().units(CARRIER, PartitionKey.of("key", "b"))).isEqualTo(1);
    }

    @Test
    default void decisionsAreThoseOfTheFilterAndOfTheMethod() {
        Response booked = to(server()).body("a").post("carrier");
        assertThat(booked.asString()).isEqualTo("bookings 99, carrier 2");
        assertThat(booked.header("RateLimit-Policy")).isEqualTo("\"bookings\";q=100;w=3600, \"carrier\";q=3;w=3600");
        Response filtered = to(server()).header("Account", "a").get("carrier/filtered");
        assertThat(filtered.asString()).isEqualTo("carrier 1");
    }

    @Test
    default void aCostThatIsKnownOnlyNowIsChargedAndTold() {
        Response seven = to(server()).get("carrier/rows/7");
        assertThat(seven.asString()).as("9 left, 7 charged, 2 left").isEqualTo("9 7 2");
        assertThat(charged().units(ROWS)).isEqualTo(8);
        assertThat(remaining(seven, "rows"))
                .as("what is left when the response is written")
                .isEqualTo(2);
        Response five = to(server()).get("carrier/rows/5");
        assertThat(five.asString()).as("never refused, but debt").isEqualTo("1 5 0");
        assertThat(remaining(five, "rows")).isZero();
        assertThat(to(server()).get("carrier/rows/1").statusCode()).isEqualTo(429);
    }

    @Test
    default void aServedRequestIsNotToldToComeBack() {
        for (int i = 0; i < 3; i++) {
            assertThat(to(server()).get("carrier/lenient").asString()).isEqualTo("now");
        }
        Response later = to(server()).get("carrier/lenient");
        assertThat(later.asString()).isEqualTo("later");
        assertThat(remaining(later, "carrier")).isZero();
        assertThat(later.header("Retry-After")).isNull();
    }

    @Test
    default void aNameOfNoPolicyIsAnErrorWithTheNearest() {
        assertThat(to(server()).get("carrier/wrong").asString())
                .contains("carier")
                .contains("\"carrier\"");
        assertThat(SharedRedis.keys()).isEmpty();
    }
}
