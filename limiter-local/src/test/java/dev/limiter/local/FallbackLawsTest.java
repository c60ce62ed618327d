package dev.limiter.local;

import static dev.limiter.Algorithm.CONCURRENCY;
import static dev.limiter.Algorithm.LEAKY_BUCKET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.OnStoreFailure;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.Refill;
import dev.limiter.local.internal.fallback.FallbackRateLimiter;
import dev.limiter.local.internal.fallback.InstanceQuota;
import dev.limiter.local.internal.memory.FollowingStore;
import dev.limiter.spi.Signals;
import dev.limiter.testkit.property.Generator;
import dev.limiter.testkit.property.Lines;
import dev.limiter.testkit.property.Property;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Bounds what all processes admit while the store fails and returns, for each process at other
 * instants.
 *
 * <p>Why does a process admit no more than its policy in any window, although sometimes the
 * store and sometimes its mirror decides? If the mirror admitted nothing alone in a window, the
 * store admitted everything in it, and the store's law holds. Otherwise everything later in the
 * window also asks the mirror, since both must admit for at least a window. Everything earlier
 * stands in the mirror. So whenever the mirror admit the last of it, they have all of it before
 * them, and its law holds. Its content is never cut at the bound of debts: the store's
 * admissions and those of the mirror alone are at most a capacity each. The backlog of both
 * together is at most the sum.
 *
 * <p>Two laws are weaker. The mirror may refill an {@code INTERVAL} bucket at another instant
 * than the store. Then the refill gives back what the store had admitted across its own refill:
 * at most two capacities instead of one. A {@code LEAKY_BUCKET} admits now what runs later.
 * Slots of the store are a unit apart from each other, and so are those of the mirror. But when
 * the mirror is no longer asked, requests still wait for slots in it that the store does not
 * know of. So the bound is twice the limit; the store's part is one limit for all processes
 * together.
 */
@Tag("proof")
class FallbackLawsTest {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");

    /**
     * A process asks, several times at once. Before that its connection to the store may change.
     */
    record Step(long waitMicros, long cost, int times, int node, FailingStore.State state, boolean release) {}

    record Life(Policy policy, int nodes, List<Step> steps) {

        @Override
        public String toString() {
            return Lines.numbered(nodes + " processes, " + policy, steps);
        }
    }

    /** Units with the span in which they count. */
    record Run(int node, long fromMicros, long units, long untilMicros) {}

    private static Property<Life> lives() {
        return Property.<Life>forAll(dice -> {
                    Policy policy = History.policies().draw(dice);
                    int nodes = (int) dice.between(1, 3);
                    return new Life(policy, nodes, dice.list(5, 40, steps(policy, nodes)));
                })
                .leavingOut(Life::steps, (life, steps) -> new Life(life.policy(), life.nodes(), steps));
    }

    private static Generator<Step> steps(Policy policy, int nodes) {
        Generator<History.Step> asking = History.steps(policy);
        return dice -> {
            History.Step step = asking.draw(dice);
            return new Step(
                    step.waitMicros(),
                    step.cost(),
                    dice.oneOf(1, 1, 2, 100),
                    (int) dice.between(0, nodes - 1),
                    dice.oneOf(FailingStore.State.values()),
                    dice.oneOf(false, false, true));
        };
    }

    @Test
    void noWindowHoldsMoreThanEachProcessMayAdmit() {
        lives().tries(5_000).check(FallbackLawsTest::noWindowHoldsMoreThanEachProcessMayAdmit);
    }

    private static void noWindowHoldsMoreThanEachProcessMayAdmit(Life life) {
        List<Run> runs = live(life, 1);
        long most = mostOfOneProcess(life.policy());
        for (int node = 0; node < life.nodes(); node++) {
            int one = node;
            List<Run> own = runs.stream().filter(run -> run.node() == one).toList();
            assertThat(mostAtOnce(own)).isLessThanOrEqualTo(most);
        }
        assertThat(mostAtOnce(runs)).isLessThanOrEqualTo(mostOfAll(life.policy(), life.nodes()));
    }

    /**
     * With divided limits, all processes together admit what the store and their parts admit.
     */
    @Test
    void dividedNumbersAddUp() {
        lives().tries(2_000).check(FallbackLawsTest::dividedNumbersAddUp);
    }

    private static void dividedNumbersAddUp(Life life) {
        List<Run> runs = live(life, life.nodes());
        assertThat(mostAtOnce(runs))
                .isLessThanOrEqualTo(life.policy().rules().mostInAnyWindow()
                        + life.nodes() * ofEach(life).rules().mostInAnyWindow());
    }

    private static Policy ofEach(Life life) {
        return new InstanceQuota(life.policy(), OnStoreFailure.LOCAL, life.nodes(), new AtomicLong()).own();
    }

    private static long mostOfOneProcess(Policy policy) {
        if (policy.algorithm() == LEAKY_BUCKET) {
            return 2 * policy.limit();
        }
        return policy.refill() == Refill.INTERVAL && !policy.borrow()
                ? policy.burst() + Math.min(policy.limit(), 2 * policy.burst())
                : policy.rules().mostInAnyWindow();
    }

    private static long mostOfAll(Policy policy, int nodes) {
        return policy.algorithm() == LEAKY_BUCKET ? (nodes + 1) * policy.limit() : nodes * mostOfOneProcess(policy);
    }

    private static List<Run> live(Life life, int divided) {
        VirtualClock clock = new VirtualClock();
        LocalRateLimiter shared = new LocalRateLimiter(clock);
        List<FailingStore> ways = new ArrayList<>();
        List<FallbackRateLimiter> nodes = new ArrayList<>();
        for (int i = 0; i < life.nodes(); i++) {
            ways.add(new FailingStore(shared));
            nodes.add(new FallbackRateLimiter(
                    ways.get(i), OnStoreFailure.LOCAL, divided, Signals.NONE, new FollowingStore(clock)));
        }
        long maxCost = new InstanceQuota(life.policy(), OnStoreFailure.LOCAL, divided, new AtomicLong())
                .own()
                .maxCost();
        List<Run> runs = new ArrayList<>();
        for (Step step : life.steps()) {
            clock.advance(step.waitMicros());
            FallbackRateLimiter node = nodes.get(step.node());
            // A cost that is larger than a part is counted there as the part.
            long cost = life.policy().algorithm() == LEAKY_BUCKET ? 1 : Math.min(step.cost(), maxCost);
            ways.get(step.node()).state = step.state();
            for (int i = 0; i < step.times(); i++) {
                Decision decision = node.acquire(CheckGroup.of(new Check(life.policy(), ALICE, cost)));
                if (!(decision instanceof Decision.Admitted admission)) {
                    break;
                }
                if (life.policy().algorithm() == CONCURRENCY && step.release() && i % 2 == 1) {
                    giveBack(node, admission);
                } else {
                    addTo(runs, life.policy(), step.node(), cost, clock.micros(), admission);
                }
            }
        }
        return runs;
    }

    private static void giveBack(FallbackRateLimiter node, Decision.Admitted admission) {
        try {
            node.refund(admission);
        } catch (RuntimeException unheard) {
            // the store keeps it until it expires
        }
    }

    /** A held request of a leaky bucket counts when it runs. */
    private static void addTo(
            List<Run> runs, Policy policy, int node, long cost, long now, Decision.Admitted admission) {
        long at = now + admission.runAfter().toNanos() / 1_000;
        runs.add(new Run(node, at, cost, at + policy.windowMicros()));
    }

    /**
     * The most units in any half-open interval of a window's length: at each start of a run,
     * those that still count.
     */
    private static long mostAtOnce(List<Run> runs) {
        long most = 0;
        for (Run last : runs) {
            long units = 0;
            for (Run run : runs) {
                units += run.fromMicros() <= last.fromMicros() && run.untilMicros() > last.fromMicros()
                        ? run.units()
                        : 0;
            }
            most = Math.max(most, units);
        }
        return most;
    }
}
