package dev.limiter.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.Refill;
import dev.limiter.testkit.property.TestSize;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The search assumes that a longer wait is never worse. This test assumes nothing: with windows
 * of a few microseconds, it tries each later instant, and spends {@code remaining} to the last
 * unit.
 */
@Tag("proof")
class FiguresTest {
    private static final int HISTORIES = TestSize.of(400);
    private static final int STEPS = 12;
    private static final PartitionKey KEY = PartitionKey.of("user", "alice");

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "CONCURRENCY")
    void figuresAreWhatWaitingShows(Algorithm algorithm) {
        for (int seed = 0; seed < HISTORIES; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            long window = 1 + random.nextInt(12);
            long now = 1_700_000_000_000_000L;
            List<Call> calls = new ArrayList<>();
            for (int step = 0; step < STEPS; step++) {
                now += random.nextInt(6) == 0 ? -random.nextInt(50) : random.nextInt(6);
                Policy policy = policy(algorithm, window, random);
                Check check = new Check(policy, KEY, 1 + random.nextInt((int) Math.min(policy.maxCost(), 8)));
                calls.add(new Call(check, random.nextInt(4) == 0, now));
                Check asked = new Check(policy, KEY, 1 + random.nextInt((int) Math.min(policy.maxCost(), 8)));
                check(calls, asked, now);
            }
        }
    }

    private static Policy policy(Algorithm algorithm, long window, SplittableRandom random) {
        long limit = algorithm == Algorithm.GATE ? 1 : 1 + random.nextInt(5);
        Duration span = Duration.ofNanos(window * 1_000);
        if (algorithm == Algorithm.LEAKY_BUCKET) {
            return Policy.leakyBucket("p", limit, span, Duration.ofNanos(random.nextInt(20) * 1_000L));
        }
        Policy policy = Policy.of("p", algorithm, limit, span);
        if (algorithm.accepts(Algorithm.Member.BURST)) {
            policy = policy.withBurst(1 + random.nextInt(5));
        }
        if (algorithm == Algorithm.TOKEN_BUCKET) {
            policy = window % 2 == 0 ? policy.withRefill(Refill.INTERVAL) : policy;
            policy = random.nextBoolean() ? policy.borrowing() : policy;
        }
        return policy;
    }

    /** Asks a model after all calls, and then again at each following instant. */
    private static void check(List<Call> calls, Check asked, long now) {
        Model model = after(calls);
        CheckResult result = peek(model, asked, now);
        String because = calls + " asked " + asked + " at " + now;
        for (long wait = 0; wait <= result.retryAfterMicros(); wait++) {
            assertThat(peek(model, asked, now + wait).admitted())
                    .as("%s admitted after %s", because, wait)
                    .isEqualTo(wait == result.retryAfterMicros());
        }
        for (long wait = 0; wait <= result.resetAfterMicros(); wait++) {
            CheckResult later = peek(model, asked, now + wait);
            assertThat(later.remaining() > result.remaining())
                    .as("%s more after %s", because, wait)
                    .isEqualTo(result.nextAfterMicros() > 0 && wait >= result.nextAfterMicros());
            assertThat(isAtRest(model, asked, now + wait))
                    .as("%s at rest after %s", because, wait)
                    .isEqualTo(wait == result.resetAfterMicros());
        }
        if (asked.policy().algorithm() == Algorithm.GATE && result.admitted()) {
            return; // a caller that passes takes nothing
        }
        CheckGroup one = CheckGroup.of(Check.of(asked.policy(), KEY));
        long passed = IntStream.range(0, (int) result.remaining() + 1)
                .filter(unit -> model.admits(one, now))
                .count();
        assertThat(passed).as("%s units passed", because).isEqualTo(result.remaining());
    }

    private static boolean isAtRest(Model model, Check asked, long now) {
        if (asked.policy().algorithm() == Algorithm.LEAKY_BUCKET) {
            CheckResult result = peek(model, Check.of(asked.policy(), KEY), now);
            return result.admitted() && result.runAfterMicros() == 0;
        }
        return peek(model, asked, now).remaining() == asked.policy().capacity();
    }

    private static Model after(List<Call> calls) {
        Model model = new Model();
        calls.forEach(call -> call.on(model));
        return model;
    }

    private static CheckResult peek(Model model, Check check, long now) {
        return model.peek(CheckGroup.of(check), now).get(0);
    }

    /** One thing that happened before: a request, or units charged without asking. */
    private record Call(Check check, boolean charge, long now) {

        void on(Model model) {
            if (charge) {
                model.charge(check.policy(), check.key(), 2 * check.cost(), now);
            } else {
                model.admits(CheckGroup.of(check), now);
            }
        }
    }
}
