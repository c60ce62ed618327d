package dev.limiter.operations.internal;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.benchmarks.contest.Competitor;
import dev.limiter.benchmarks.contest.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What {@code limiter-operations} does at a rejection: it counts one of a million keys. Their
 * numbers have the density 1/x, as by Zipf's law with exponent 1. In the package of what it
 * measures, which is not public.
 */
public final class CountedRejections implements Competitor {
    private static final int KEYS = 1_000_000;
    private static final Policy POLICY = Policy.of("counted", Algorithm.GCRA, 1, Duration.ofDays(1));
    private static final Decision.Rejected REJECTED =
            new Decision.Rejected(List.of(new CheckResult(POLICY, false, 0, 1_000_000, 1_000_000, 1_000_000)), 0);

    private final Rejections rejections = new Rejections(null, System::nanoTime, policy -> false);
    private final SplittableRandom random = new SplittableRandom(1);

    @Override
    public Verdict ask(int key) {
        int user = (int) Math.pow(KEYS, random.nextDouble());
        rejections.count(CheckGroup.of(Check.of(POLICY, PartitionKey.of("user", Integer.toString(user)))), REJECTED);
        return Verdict.REJECTED;
    }

    @Override
    public void close() {}
}
