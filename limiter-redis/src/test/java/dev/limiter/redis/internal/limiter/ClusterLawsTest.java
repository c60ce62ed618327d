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
import dev.limiter.internal.store.Receipt;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.redis.Forwarding;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Property;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
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

    private static Object any(Class<?> type) {
        Policy policy = POLICIES.get(0);
        PartitionKey key = KEYS.get(0);
        CheckGroup group = CheckGroup.of(Check.of(policy, key));
        if (type == CheckGroup.class) {
            return group;
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        if (type == Receipt.class) {
            return ((Decision.Admitted) new LocalRateLimiter(() -> Instant.EPOCH).acquire(group)).receipt();
        }
        return type == Policy.class ? policy : type == PartitionKey.class ? key : type == long.class ? 7L : List.of();
    }

    /**
     * A call's arguments and the checks of its receipt, so that decisions that were wrapped anew
     * are equal.
     */
    private static List<Object> words(Object... arguments) {
        return Stream.of(arguments)
                .map(each -> each instanceof Receipt receipt ? receipt.checks() : each)
                .toList();
    }

    /**
     * For each limiter before a store: each call reaches the store once and unchanged, and so
     * does its result.
     */
    @Test
    void eachCallIsHandedOnAsItIs() throws Exception {
        for (Method method : RateLimiter.class.getMethods()) {
            if (method.isDefault() && !method.getName().equals("refundThenPeek")) {
                continue;
            }
            List<String> calls = new ArrayList<>();
            List<List<Object>> said = new ArrayList<>();
            Object[] answer = new Object[1];
            RateLimiter store = (RateLimiter) Proxy.newProxyInstance(
                    RateLimiter.class.getClassLoader(),
                    new Class<?>[] {RateLimiter.class},
                    (proxy, called, arguments) -> {
                        if (called.getName().equals("unwrap")) {
                            return Optional.empty();
                        }
                        calls.add(called.getName());
                        said.add(words(arguments == null ? new Object[0] : arguments));
                        if (answer[0] instanceof RuntimeException failure) {
                            throw failure;
                        }
                        return answer[0];
                    });
            List<RateLimiter> before = List.of(
                    new ClusterRateLimiter(new SlotsInMemory(store), SlotsInMemory::slot, TIMEOUTS, () -> 0),
                    new RejectionCachingRateLimiter(store, new RejectionCache(), () -> 0));
            Object[] arguments = Arrays.stream(method.getParameterTypes())
                    .map(ClusterLawsTest::any)
                    .toArray();
            if (method.getName().equals("acquireEach")) {
                arguments[0] = List.of(any(CheckGroup.class), any(CheckGroup.class));
            }
            for (RateLimiter limiter : before) {
                for (Object answered : answers(method)) {
                    calls.clear();
                    said.clear();
                    answer[0] = answered;
                    if (answered instanceof RuntimeException) {
                        assertThatThrownBy(() -> method.invoke(limiter, arguments))
                                .isInstanceOf(InvocationTargetException.class)
                                .cause()
                                .as("%s of %s", method, limiter)
                                .isInstanceOf(StoreUnavailableException.class)
                                .hasMessage("away");
                    } else {
                        assertThat(method.invoke(limiter, arguments))
                                .as("%s of %s", method, limiter)
                                .isEqualTo(answered);
                    }
                    assertThat(calls).containsExactly(method.getName());
                    assertThat(said).containsExactly(words(arguments));
                }
            }
        }
    }

    private static List<Object> answers(Method method) {
        RuntimeException away = new StoreUnavailableException("away", null);
        Class<?> type = method.getReturnType();
        if (type == void.class) {
            return Arrays.asList(null, away);
        }
        if (type == boolean.class) {
            return List.of(true, false, away);
        }
        RateLimiter memory = new LocalRateLimiter(() -> Instant.EPOCH);
        CheckGroup group = (CheckGroup) any(CheckGroup.class);
        Decision decision = memory.acquire(group);
        List<CheckResult> results = memory.peek(group);
        return switch (method.getName()) {
            case "acquire" -> List.of(decision, away);
            case "acquireEach" -> List.of(List.of(decision, decision), away);
            case "peek" -> List.of(results, away);
            case "refundThenPeek" -> List.of(results.get(0), away);
            case "charge" -> List.of(memory.charge(POLICIES.get(0), KEYS.get(0), 2), away);
            case "storeKey" -> List.of("rl:key", away);
            case "usage" -> List.of(new Usage(5, Instant.EPOCH), away);
            default -> List.of(away);
        };
    }
}
