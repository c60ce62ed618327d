package dev.limiter.local;

import static dev.limiter.Algorithm.CONCURRENCY;
import static dev.limiter.Algorithm.LEAKY_BUCKET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Answer;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

/** What every algorithm's answer means, to the microsecond, tried out by doing what it says in a copy of the same past. */
class LawsTest {

    /** Leases are given back at any time: their spans are hints, and no law. */
    @Provide
    Arbitrary<History> histories() {
        return History.histories().filter(history -> history.policy().algorithm() != CONCURRENCY);
    }

    /** Where requests are held, the full quota may be there before nobody waits. */
    @Provide
    Arbitrary<History> unheld() {
        return histories().filter(history -> history.policy().algorithm() != LEAKY_BUCKET);
    }

    @Property(tries = 3_000)
    void waitingRetryAfterPassesAndOneMicrosecondLessDoesNot(@ForAll("histories") History history) {
        Answer answer = answer(history.live());
        if (answer.admitted()) {
            return;
        }
        long cost = history.lastCost();
        assertThat(history.live().after(answer.retryAfterMicros() - 1).ask(cost).admitted())
                .isFalse();
        assertThat(history.live().after(answer.retryAfterMicros()).ask(cost).admitted())
                .isTrue();
    }

    @Property(tries = 3_000)
    void remainingUnitsPassAtOnceAndNoMore(@ForAll("histories") History history) {
        assertThat(history.live().drain()).isEqualTo(answer(history.live()).remaining());
    }

    @Property(tries = 3_000)
    void moreThanRemainingIsThereAfterNextAndNotBefore(@ForAll("histories") History history) {
        Answer answer = answer(history.live());
        if (answer.nextAfterMicros() == 0) {
            assertThat(answer.remaining()).isEqualTo(answer.policy().capacity());
            return;
        }
        assertThat(history.live().after(answer.nextAfterMicros() - 1).drain()).isEqualTo(answer.remaining());
        assertThat(history.live().after(answer.nextAfterMicros()).drain()).isGreaterThan(answer.remaining());
    }

    @Property(tries = 3_000)
    void theFullQuotaIsThereAfterResetAndNotBefore(@ForAll("unheld") History history) {
        Answer answer = answer(history.live());
        long capacity = answer.policy().capacity();
        assertThat(history.live().after(answer.resetAfterMicros()).drain()).isEqualTo(capacity);
        if (answer.resetAfterMicros() > 0) {
            assertThat(history.live().after(answer.resetAfterMicros() - 1).drain())
                    .isLessThan(capacity);
        }
    }

    @Property(tries = 3_000)
    void noWindowWhereverItBeginsAdmitsMoreThanPromised(@ForAll("unheld") History history) {
        VirtualClock clock = new VirtualClock();
        LocalRateLimiter limiter = new LocalRateLimiter(clock);
        List<Long> admitted = new ArrayList<>();
        long now = 0;
        for (History.Step step : history.steps()) {
            clock.advance(step.waitMicros());
            now += step.waitMicros();
            while (limiter.acquire(history.policy(), PartitionKey.of("user", "alice"))
                    .admitted()) {
                admitted.add(now);
            }
        }
        long window = history.policy().windowMicros();
        for (long from : admitted) {
            long inWindow = admitted.stream()
                    .filter(at -> at >= from && at < from + window)
                    .count();
            assertThat(inWindow).isLessThanOrEqualTo(history.policy().mostInAnyWindow());
        }
    }

    @Property(tries = 1_000)
    void aRejectionChangesNothing(@ForAll("histories") History history, @ForAll @Size(max = 3) List<Boolean> more) {
        History.Lived lived = history.live();
        if (lived.last().admitted()) {
            return;
        }
        Decision again = lived.last();
        for (int i = 0; i < more.size(); i++) {
            again = lived.ask(history.lastCost());
        }
        assertThat(again).isEqualTo(lived.last());
    }

    private static Answer answer(History.Lived lived) {
        return lived.last().answers().get(0);
    }
}
