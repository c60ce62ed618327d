package dev.limiter.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.OnStoreFailure;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.local.internal.fallback.FallbackRateLimiter;
import dev.limiter.local.internal.memory.FollowingStore;
import dev.limiter.local.internal.memory.PartitionEntry;
import dev.limiter.local.internal.memory.PartitionTable;
import dev.limiter.spi.Signals;
import dev.limiter.testkit.heap.LiveObjects;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Callers rotate keys while a few limits stay spent, in memory and in the record of
 * {@code LOCAL}: what is forgotten is garbage, and what is spent stays spent.
 */
class ForgottenPartitionsTest {
    private static final Duration DAY = Duration.ofDays(1);
    private static final Policy BRIEF = Policy.of("brief", Algorithm.GCRA, 10, Duration.ofMillis(10));
    private static final Policy LOG = Policy.of("log", Algorithm.SLIDING_LOG, 100, DAY);
    private static final List<CheckGroup> SPENT = Stream.of(
                    Algorithm.FIXED_WINDOW,
                    Algorithm.SLIDING_WINDOW,
                    Algorithm.SLIDING_LOG,
                    Algorithm.GCRA,
                    Algorithm.TOKEN_BUCKET)
            .map(each -> CheckGroup.of(new Check(Policy.of("spent", each, 5, DAY), user("alice"), 5)))
            .toList();

    private final VirtualClock clock = new VirtualClock();
    private final FailingStore store = new FailingStore(new LocalRateLimiter(clock));
    private LongSupplier recorded = () -> 0;
    private final RateLimiter recording = new FallbackRateLimiter(
            store,
            OnStoreFailure.LOCAL,
            1,
            new Signals() {
                @Override
                public void fallbackPartitions(LongSupplier partitions) {
                    recorded = partitions;
                }
            },
            new FollowingStore(clock));

    private final long before = LiveObjects.count(PartitionEntry.class);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void windowsOfMillisecondsLeaveNothingBehind(boolean records) {
        RateLimiter limiter = spent(records);
        for (int i = 0; i < 10_000; i++) {
            limiter.acquire(BRIEF, user("brief" + i));
            clock.advance(1_000);
        }
        expectAtMost(PartitionTable.SWEPT_ABOVE, records);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void windowsOfADayStayWithinTheBound(boolean records) {
        RateLimiter limiter = spent(records);
        for (int i = 0; i < LocalRateLimiter.MAX_PARTITIONS / 2; i++) {
            limiter.acquire(CheckGroup.of(Check.of(BRIEF, user("brief" + i)), Check.of(LOG, user("log" + i))));
            limiter.acquireEach(List.of(CheckGroup.of(Check.of(LOG, user("each" + i)))));
            limiter.charge(LOG, user("charged" + i), 1);
        }
        assertThat(recorded.getAsLong()).isEqualTo(records ? LocalRateLimiter.MAX_PARTITIONS + 1 : 0);
        expectAtMost(LocalRateLimiter.MAX_PARTITIONS, records);
    }

    /** Spends each limit with a single request, after a partition that will be forgotten. */
    private RateLimiter spent(boolean records) {
        RateLimiter limiter = records ? recording : store;
        limiter.acquire(BRIEF, user("eldest"));
        SPENT.forEach(group -> assertThat(limiter.acquire(group).admitted()).isTrue());
        return limiter;
    }

    private void expectAtMost(int partitions, boolean records) {
        int tables = records ? 2 : 1;
        int few = 2 + SPENT.size(); // those of the last request, and those that stay
        assertThat(LiveObjects.count(PartitionEntry.class) - before).isBetween(1L, (long) tables * (partitions + few));
        store.state = records ? FailingStore.State.DOWN : FailingStore.State.UP;
        RateLimiter limiter = records ? recording : store;
        assertThat(SPENT).allMatch(group -> !limiter.acquire(group).admitted());
    }

    private static PartitionKey user(String name) {
        return PartitionKey.of("user", name);
    }
}
