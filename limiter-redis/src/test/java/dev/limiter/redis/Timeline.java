package dev.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.internal.settings.DurationNotation;
import dev.limiter.redis.internal.script.VirtualTime;

/**
 * A sequence of calls for one key with their instants: {@code at("3s").admits(2).remaining(1)}.
 */
final class Timeline {
    private static final PartitionKey KEY = PartitionKey.of("user", "alice");

    private final RateLimiter limiter;
    private final VirtualTime time;
    private final long originMicros;
    private Policy policy;
    private Decision last;

    /**
     * Begins where the first window of the key does, so that seconds can be counted from there.
     */
    Timeline(RateLimiter limiter, VirtualTime time, Policy policy) {
        this.limiter = limiter;
        this.time = time;
        this.policy = policy;
        long window = policy.windowMicros();
        long phase = Check.of(policy, KEY).phaseMicros();
        this.originMicros = time.micros() - Math.floorMod(time.micros() - phase, window) + window;
        time.move(originMicros);
    }

    Timeline at(String sinceBeginning) {
        return at(DurationNotation.parse(sinceBeginning).toNanos() / 1_000);
    }

    Timeline at(long microsSinceBeginning) {
        time.move(originMicros + microsSinceBeginning);
        return this;
    }

    /** The same name with other members, from here on. */
    Timeline under(Policy changed) {
        policy = changed;
        return this;
    }

    Timeline admits(long requests) {
        return admits(requests, 1);
    }

    Timeline admits(long requests, long cost) {
        for (long i = 0; i < requests; i++) {
            assertThat(ask(cost).admitted())
                    .as("request %d of %d: %s", i + 1, requests, last)
                    .isTrue();
        }
        return this;
    }

    Timeline rejects(long requests) {
        for (long i = 0; i < requests; i++) {
            assertThat(ask(1).admitted()).as("a request too many: %s", last).isFalse();
        }
        return this;
    }

    /** Rejected, with exactly this wait. */
    Timeline rejectsFor(String retryAfter) {
        return rejects(1).says(result().retryAfterMicros(), retryAfter);
    }

    /** Admitted, and held exactly this long. */
    Timeline holdsFor(String runAfter) {
        return admits(1).says(result().runAfterMicros(), runAfter);
    }

    Timeline remaining(long units) {
        assertThat(result().remaining()).isEqualTo(units);
        return this;
    }

    Timeline nextAfter(String span) {
        return says(result().nextAfterMicros(), span);
    }

    Timeline resetAfter(String span) {
        return says(result().resetAfterMicros(), span);
    }

    Timeline charges(long units, long charged) {
        assertThat(limiter.charge(policy, KEY, units).charged()).isEqualTo(charged);
        return this;
    }

    Timeline refundsTheLast(boolean given) {
        assertThat(refund(lastAdmission())).isEqualTo(given);
        return this;
    }

    boolean refund(Decision.Admitted admission) {
        return limiter.refund(admission);
    }

    Decision.Admitted lastAdmission() {
        return (Decision.Admitted) last;
    }

    Timeline peeks(long remaining) {
        assertThat(limiter.peek(policy, KEY).remaining()).isEqualTo(remaining);
        return this;
    }

    /** How many single requests pass at this instant, of at most this number. */
    long passing(long atMost) {
        long passed = 0;
        while (passed < atMost && ask(1).admitted()) {
            passed++;
        }
        return passed;
    }

    Decision ask(long cost) {
        last = limiter.acquire(CheckGroup.of(new Check(policy, KEY, cost)));
        return last;
    }

    private CheckResult result() {
        return last.results().get(0);
    }

    private Timeline says(long micros, String span) {
        assertThat(micros)
                .as(String.valueOf(last))
                .isEqualTo(DurationNotation.parse(span).toNanos() / 1_000);
        return this;
    }
}
