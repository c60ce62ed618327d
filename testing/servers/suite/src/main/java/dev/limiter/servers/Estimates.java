package dev.limiter.servers;

import static dev.limiter.servers.Http.remaining;
import static dev.limiter.servers.Http.to;
import static dev.limiter.servers.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import dev.limiter.Refill;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Methods that reserve an estimate of 1,000 tokens, of 10,000, and settle what was used. */
interface Estimates extends Topic {
    int REQUESTS = 200;

    /** The policy of the annotation with a limit that also shows debt. */
    Policy TOKENS = Policy.of("tokens", Algorithm.TOKEN_BUCKET, 30_000, Duration.ofHours(1))
            .withRefill(Refill.INTERVAL);

    /** Requests that were admitted are held until all others were rejected. */
    @ParameterizedTest
    @CsvSource({"300, 3000", "1700, 17000"})
    default void tenAreUnsettledAtOnceAndWhatWasUsedIsMissing(long used, long missing) {
        List<CompletableFuture<Response>> requests = Stream.generate(
                        () -> Http.meanwhile(() -> to(server()).get("estimates/held/" + used)))
                .limit(REQUESTS)
                .toList();
        await().until(() -> requests.stream().filter(CompletableFuture::isDone).count() == REQUESTS - 10);
        assertThat(charged().units(TOKENS)).isEqualTo(10_000);
        for (int i = 0; i < 10; i++) {
            to(server()).put("gate");
        }
        Map<Integer, Long> statuses = requests.stream()
                .map(CompletableFuture::join)
                .collect(Collectors.groupingBy(Response::statusCode, Collectors.counting()));
        assertThat(statuses).isEqualTo(Map.of(200, 10L, 429, REQUESTS - 10L));
        assertThat(charged().units(TOKENS)).isEqualTo(missing);
    }

    @Test
    default void aStreamIsSettledAfterItsResponseHasBegun() {
        Response streamed = to(server()).get("estimates/streamed/300");
        assertThat(streamed.asString()).isEqualTo("answer");
        await().untilAsserted(() -> assertThat(charged().units(TOKENS)).isEqualTo(300));
        to(server()).get("estimates/streamed/1700");
        await().untilAsserted(() -> assertThat(charged().units(TOKENS)).isEqualTo(2_000));
    }

    /** The stream is settled when the fields have left, the resumed response before. */
    @ParameterizedTest
    @CsvSource({"resumed, 300, 9700", "resumed, 1700, 8300", "later, 300, 9000", "later, 1700, 9000"})
    default void anotherThreadSettles(String path, long used, int told) {
        Response response = to(server()).get("estimates/" + path + "/" + used);
        assertThat(response.asString()).isEqualTo("answer");
        assertThat(remaining(response, "tokens")).isEqualTo(told);
        await().untilAsserted(() -> assertThat(charged().units(TOKENS)).isEqualTo(used));
    }

    @ParameterizedTest
    @CsvSource({
        "status/200,           1000, 9000",
        "status/404,           1000, 9000",
        "status/503,           0,    -1",
        "status/200?used=300,  300,  9700",
        "status/503?used=300,  300,  9700",
        "status/503?used=1700, 1700, 8300",
        "status/503?times=3,             0,    -1",
        "status/503?times=3&used=0,      0,    10000",
        "status/503?times=3&used=1500,   1500, 8500",
        "status/503?times=3&used=3000,   3000, 7000",
        "status/503?times=3&used=3500,   3500, 6500",
        "thrown,               0,    -1",
    })
    default void theStatusDecidesUnlessItWasSettled(String path, long missing, int told) {
        Response response = to(server()).get("estimates/" + path);
        assertThat(charged().units(TOKENS)).isEqualTo(missing);
        if (told >= 0) {
            assertThat(remaining(response, "tokens")).isEqualTo(told);
        } else {
            assertThat(response.header("RateLimit")).isNull();
        }
    }

    @Test
    default void aPolicyThatTheFilterChargesSaysWhatToWrite() {
        assertThat(to(server()).get("estimates/wrong").asString()).contains("declare it with cost = \"0\"");
    }

    @Test
    default void aServletReservesAndSettles() {
        assertThat(to(server()).get("estimating?used=3000").asString()).isEqualTo("7000");
        Response rejected = to(server()).get("estimating?used=3000");
        assertThat(rejected.statusCode()).isEqualTo(429);
        assertThat(rejected.violatedPolicies()).containsExactly("tokens");
        assertThat(charged().units(TOKENS)).isEqualTo(3_000);
    }
}
