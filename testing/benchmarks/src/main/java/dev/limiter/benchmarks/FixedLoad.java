package dev.limiter.benchmarks;

import dev.limiter.benchmarks.contest.Competitor;
import dev.limiter.benchmarks.contest.Verdict;
import dev.limiter.testkit.RedisServer;
import java.util.List;

/** The load that tells how fast the machine is: a pooled {@code GET} and some arithmetic. */
final class FixedLoad implements Competitor {
    private static final int STEPS = 4_000;

    private final PooledGet get;

    FixedLoad(RedisServer redis) {
        this.get = new PooledGet(Pools.of(redis), List.of("fixed load"));
    }

    @Override
    public Verdict ask(int key) {
        long state = System.nanoTime() | 1;
        for (int step = 0; step < STEPS; step++) {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
        }
        return state == 0 ? Verdict.UNANSWERED : get.ask(0);
    }

    @Override
    public void close() {
        get.close();
    }
}
