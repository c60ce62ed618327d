package dev.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.model.Model;
import dev.limiter.redis.Stores.Fresh;
import dev.limiter.redis.Stores.Store;
import dev.limiter.testkit.property.TestSize;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Three per second with a burst of two, the bucket never at rest: each comes exactly when it was
 * told, the k-th after the first at ⌈k·T⌉, for ever. (With a burst of one, a caller that cannot
 * come at a third of a microsecond comes late, and lateness is not carried over.)
 */
@Tag("proof")
class DriftTest {
    private static final Policy THREE =
            Policy.of("p", Algorithm.GCRA, 3, Duration.ofSeconds(1)).withBurst(2);
    private static final CheckGroup GROUP = CheckGroup.of(Check.of(THREE, PartitionKey.of("user", "alice")));

    @ParameterizedTest
    @CsvSource({"MEMORY, 1000000", "REDIS, 10000"})
    void requestsAtThreePerSecondDoNotDrift(Store store, int requests) {
        try (Stores stores = new Stores()) {
            Fresh fresh = stores.fresh(store);
            long origin = fresh.time().micros();
            assertThat(fresh.limiter().acquire(GROUP).admitted()).isTrue();
            for (long k = 0; k < TestSize.of(requests); k++) {
                fresh.time().move(origin + ceilOfThirds(k));
                CheckResult result = fresh.limiter().acquire(GROUP).results().get(0);
                assertThat(result.admitted()).isTrue();
                assertThat(result.nextAfterMicros()).isEqualTo(ceilOfThirds(k + 1) - ceilOfThirds(k));
            }
        }
        System.out.printf("%n%s: %,d requests at 3 per second: 0 µs of drift%n", store, TestSize.of(requests));
    }

    @Test
    void norDoesTheModel() {
        Model model = new Model();
        int requests = TestSize.of(1_000_000);
        long origin = 1_700_000_000_000_000L;
        assertThat(model.admits(GROUP, origin)).isTrue();
        for (long k = 0; k < requests; k++) {
            assertThat(k > 0 && model.admits(GROUP, origin + ceilOfThirds(k) - 1))
                    .isFalse();
            assertThat(model.admits(GROUP, origin + ceilOfThirds(k))).isTrue();
        }
        System.out.printf("%nmodel: %,d requests at 3 per second: 0 µs of drift%n", requests);
    }

    private static long ceilOfThirds(long k) {
        return (k * 1_000_000 + 2) / 3;
    }
}
