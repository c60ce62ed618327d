package dev.limiter.redis.internal.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.calendar.Usage;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.redis.Forwarding;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.spi.Ask;
import dev.limiter.spi.GroupDecisions;
import dev.limiter.spi.Layer;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Property;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A healthy cluster decides as a single server does, however the policies of a group are spread
 * over slots. There is one difference: a group that a later slot rejects may have renewed a
 * lease in an earlier one. So no history lasts until a lease ends.
 */
@Tag("proof")
class ClusterLawsTest {
    private static final Timeouts TIMEOUTS = Timeouts.within(Duration.ofMillis(150));
    private static final List<PartitionKey> KEYS = List.of(PartitionKey.of("user", "a"), PartitionKey.of("user", "b"));
    private static final List<Policy> POLICIES = policies();

    /** The slot of a policy is the first letter of its name. */
    private static List<Policy> policies() {
        List<Policy> all = new ArrayList<>();
        for (String slot : List.of("a", "b", "c")) {
            all.add(Policy.of(slot + " window", Algorithm.FIXED_WINDOW, 3, Duration.ofSeconds(20)));
            all.add(Policy.of(slot + " log", Algorithm.SLIDING_LOG, 4, Duration.ofSeconds(10)));
            all.add(Policy.of(slot + " gcra", Algorithm.GCRA, 3, Duration.ofSeconds(10)));
            all.add(Policy.concurrency(slot + " leases", 2));
            all.add(Policy.of(slot + " shadow", Algorithm.FIXED_WINDOW, 1, Duration.ofSeconds(10))
                    .asShadow());
        }
        return List.copyOf(all);
    }

    private enum Kind {
        ACQUIRE,
        EACH,
        PEEK,
        CHARGE,
        REFUND,
        RESET
    }

    /** Time passes, then something is asked. */
    private record Step(int millis, Kind kind, List<CheckGroup> groups, int which) {
        static Step draw(Dice dice) {
            Kind kind = dice.chance(60) ? Kind.ACQUIRE : dice.oneOf(Kind.values());
            int millis = dice.chance(60) ? 0 : (int) dice.between(1, 1_900); // no lease ends
            return new Step(millis, kind, dice.list(1, 4, Step::group), (int) dice.between(0, 20));
        }

        private static CheckGroup group(Dice dice) {
            Set<Policy> policies = new LinkedHashSet<>(dice.list(1, 5, some -> some.oneOf(POLICIES)));
            PartitionKey key = dice.oneOf(KEYS);
            String lease = dice.oneOf("one", "two", "three");
            List<Check> checks = new ArrayList<>();
            for (Policy policy : policies) {
                checks.add(
                        policy.algorithm() == Algorithm.CONCURRENCY
                                ? Check.ofLease(policy, key, lease)
                                : new Check(policy, key, dice.chance(80) ? 1 : policy.maxCost()));
            }
            return new CheckGroup(checks, dice.chance(50));
        }
    }

    private Instant now;

    @Test
    void itDecidesAsOneServerDoes() {
        Property.forAll((Dice dice) -> dice.list(1, 15, Step::draw))
                .tries(8_000)
                .check(this::check);
    }

    private void check(List<Step> steps) {
        now = Instant.ofEpochSecond(1_700_000_000);
        RateLimiter one = new LocalRateLimiter(() -> now);
        RateLimiter cluster = new ClusterRateLimiter(
                new SlotsInMemory(new OneSlotAtATime(new LocalRateLimiter(() -> now))),
                SlotsInMemory::slot,
                TIMEOUTS,
                () -> 0);
        List<Decision> ofOne = new ArrayList<>();
        List<Decision> ofCluster = new ArrayList<>();
        for (Step step : steps) {
            now = now.plusMillis(step.millis());
            CheckGroup group = step.groups().get(0);
            Check check = group.checks().get(0);
            switch (step.kind()) {
                case ACQUIRE -> {
                    ofOne.add(one.acquire(group));
                    ofCluster.add(cluster.acquire(group));
                }
                case EACH -> {
                    ofOne.addAll(one.acquireEach(step.groups()));
                    ofCluster.addAll(cluster.acquireEach(step.groups()));
                }
                case PEEK -> assertThat(cluster.peek(group)).isEqualTo(one.peek(group));
                case CHARGE -> {
                    if (check.policy().algorithm() != Algorithm.CONCURRENCY) {
                        assertThat(cluster.charge(check.policy(), check.key(), 2))
                                .isEqualTo(one.charge(check.policy(), check.key(), 2));
                    }
                }
                case REFUND -> refund(step.which(), one, ofOne, cluster, ofCluster);
                case RESET -> {
                    one.reset(check.policy(), check.key());
                    cluster.reset(check.policy(), check.key());
                }
            }
            assertThat(told(ofCluster)).isEqualTo(told(ofOne));
        }
    }

    private static List<Object> told(List<Decision> decisions) {
        return decisions.stream()
                .map(decision -> (Object) List.of(decision.admitted(), decision.results(), decision.atMicros()))
                .toList();
    }

    private static void refund(
            int which, RateLimiter one, List<Decision> ofOne, RateLimiter cluster, List<Decision> ofCluster) {
        if (which < ofOne.size()
                && ofOne.get(which) instanceof Decision.Admitted mine
                && ofCluster.get(which) instanceof Decision.Admitted its) {
            assertThat(cluster.refund(its)).isEqualTo(one.refund(mine));
        }
    }

    /** A limiter that no call asks about two slots. */
    private static final class OneSlotAtATime extends Forwarding {
        OneSlotAtATime(RateLimiter limiter) {
            super(limiter);
        }

        @Override
        public void about(String call, List<CheckGroup> groups) {
            assertThat(groups.stream()
                            .flatMap(group -> group.checks().stream())
                            .map(check -> check.policy().name().charAt(0))
                            .distinct())
                    .hasSizeLessThanOrEqualTo(1);
        }
    }

    /** One of each kind, about a single slot, with an answer. */
    private static Map<Ask<?>, Object> answers() {
        RateLimiter memory = new LocalRateLimiter(() -> Instant.EPOCH);
        Check check = Check.of(POLICIES.get(0), KEYS.get(0));
        CheckGroup group = CheckGroup.of(check);
        Decision.Admitted decision = (Decision.Admitted) memory.acquire(group);
        List<CheckResult> results = memory.peek(group);
        Map<Ask<?>, Object> answers = new LinkedHashMap<>();
        answers.put(new Ask.Acquire(group, null), decision);
        answers.put(
                new Ask.AcquireEach(List.of(group, group)),
                new GroupDecisions(List.of(Optional.of(decision), Optional.of(decision)), null));
        answers.put(new Ask.Peek(group), results);
        answers.put(new Ask.Charge(check, 7), memory.charge(POLICIES.get(0), KEYS.get(0), 7));
        answers.put(new Ask.GiveBack(decision.receipt(), null), new Ask.GiveBack.Given(true, null));
        answers.put(new Ask.GiveBack(decision.receipt(), check), new Ask.GiveBack.Given(false, results.get(0)));
        answers.put(new Ask.Reset(check), null);
        answers.put(new Ask.Count(check, Usage.Period.PRESENT), new Usage(5, Instant.EPOCH));
        return answers;
    }

    /** For each limiter before a store: each ask reaches the store once, and so does its answer. */
    @Test
    void eachAskIsHandedOnAsItIs() {
        assertThat(answers().keySet().stream().map(Object::getClass).distinct())
                .containsExactlyInAnyOrder(Ask.class.getPermittedSubclasses());
        answers().forEach((ask, answer) -> {
            StoreUnavailableException away = new StoreUnavailableException("away", null);
            for (boolean fails : new boolean[] {false, true}) {
                List<Ask<?>> asked = new ArrayList<>();
                RateLimiter store = new Layer(new LocalRateLimiter()) {
                    @Override
                    public <A> A answer(Ask<A> each) {
                        asked.add(each);
                        if (!fails) {
                            return each.is(answer);
                        }
                        if (each instanceof Ask.AcquireEach) {
                            return each.is(new GroupDecisions(List.of(Optional.empty(), Optional.empty()), away));
                        }
                        throw away;
                    }
                };
                List<RateLimiter> before = List.of(
                        new ClusterRateLimiter(new SlotsInMemory(store), SlotsInMemory::slot, TIMEOUTS, () -> 0),
                        new RejectionCachingRateLimiter(store, new RejectionCache(), () -> 0));
                for (RateLimiter limiter : before) {
                    asked.clear();
                    if (!fails) {
                        assertThat((Object) limiter.answer(ask)).isEqualTo(answer);
                    } else if (ask instanceof Ask.AcquireEach each) {
                        assertThat(limiter.answer(each).failure()).isSameAs(away);
                    } else {
                        assertThatThrownBy(() -> limiter.answer(ask)).isSameAs(away);
                    }
                    assertThat(asked).singleElement().satisfies(once -> {
                        assertThat(once.getClass()).isEqualTo(ask.getClass());
                        assertThat(once.checks()).isEqualTo(ask.checks());
                    });
                }
            }
        });
    }
}
