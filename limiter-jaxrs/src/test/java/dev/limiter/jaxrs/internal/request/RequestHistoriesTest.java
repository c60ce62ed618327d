package dev.limiter.jaxrs.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.ChargeResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimitExceededException;
import dev.limiter.RateLimited;
import dev.limiter.RateLimiter;
import dev.limiter.Stage;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.RateLimits;
import dev.limiter.jaxrs.internal.bootstrap.ApplicationRuntime;
import dev.limiter.jaxrs.internal.bootstrap.ServerContext;
import dev.limiter.jaxrs.internal.declaration.PlanReader;
import dev.limiter.jaxrs.internal.form.FakeRequest;
import dev.limiter.jaxrs.internal.policy.Limit;
import dev.limiter.jaxrs.internal.policy.Plan;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Property;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.core.Application;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random requests: each is decided in several stages, acquires, charges, is held, and ends in
 * several ways, one after the other. After each step the spent units, the leases and the
 * published results agree with a model that adds and subtracts.
 */
@Tag("proof")
class RequestHistoriesTest {
    private static final long LIMIT = 1_000;

    /** The statuses that each limit of the endpoint counts, by the name of its policy. */
    private static final Map<String, Set<Integer>> COUNTED = Map.of(
            "units", Set.of(200, 404, 503),
            "failures", Set.of(503),
            "refusals", Set.of(404),
            "tokens", Set.of(200, 404));

    private static final AtomicInteger CASES = new AtomicInteger();
    private static final ApplicationRuntime DEPLOYMENT =
            new ApplicationRuntime(settings(), ServerContext.withoutServlets(null));
    private static final RateLimiter LIMITER = DEPLOYMENT.limiter();
    private static final List<Limit> LIMITS = limits();

    interface Resource {
        @GET
        @RateLimited(
                name = "units",
                key = "{attribute:case}",
                algorithm = Algorithm.SLIDING_LOG,
                limit = 1_000,
                window = "1h")
        @RateLimited(
                name = "failures",
                key = "{attribute:case}",
                algorithm = Algorithm.SLIDING_LOG,
                limit = 1_000,
                window = "1h",
                countOn = "5xx")
        @RateLimited(
                name = "refusals",
                key = "{attribute:case}",
                algorithm = Algorithm.SLIDING_LOG,
                limit = 1_000,
                window = "1h",
                countOn = "404")
        @RateLimited(name = "flight", key = "{attribute:case}", algorithm = Algorithm.CONCURRENCY, limit = 1_000)
        @RateLimited(
                name = "tokens",
                key = "{attribute:case}",
                algorithm = Algorithm.SLIDING_LOG,
                limit = 1_000,
                window = "1h",
                cost = "0",
                countOn = "!5xx")
        void get();
    }

    /** A step of a request; the kind defines the figures. */
    private record Step(Kind kind, int number, int key) {}

    private enum Kind {
        /** Asks the limits from {@code number} up to, not including, {@code key}. */
        DECIDE,
        /** Acquires {@code units} with key {@code key}. */
        ACQUIRE,
        /** Acquires {@code tight}, of which there is one unit for each key. */
        ACQUIRE_TIGHT,
        /** Acquires a lease with key {@code key}. */
        ACQUIRE_LEASE,
        /** Charges {@code number} units to {@code units}, or to {@code tokens}. */
        CHARGE,
        /** Reserves {@code number} units of {@code tokens}. */
        RESERVE,
        /** Settles {@code tokens} at units that grow with {@code number}, and may be none. */
        SETTLE,
        /** Forgives a policy. */
        FORGIVE,
        /** Is held for {@code number} ms. */
        HOLD,
        TELL_HELD,
        RESPOND,
        FINISH,
        BREAK_OFF,
        WRITTEN,
        END
    }

    private static List<Step> steps(Dice dice) {
        return dice.list(1, 18, RequestHistoriesTest::step);
    }

    private static Step step(Dice dice) {
        Kind often = dice.oneOf(Kind.DECIDE, Kind.RESERVE, Kind.SETTLE, Kind.END);
        Kind kind = dice.chance(35) ? often : dice.oneOf(Kind.values());
        return switch (kind) {
            case DECIDE -> new Step(kind, (int) dice.between(0, 4), (int) dice.number(1, 5));
            case RESPOND, END -> new Step(kind, dice.oneOf(200, 404, 503, 503), 0);
            default -> new Step(kind, (int) dice.between(1, 9), (int) dice.between(0, 1));
        };
    }

    @AfterAll
    static void close() {
        DEPLOYMENT.close();
        LIMITER.close();
    }

    @Test
    void whatARequestTookToldAndGaveBackAddsUp() {
        Property.forAll(RequestHistoriesTest::steps)
                .tries(40_000)
                .leavingOut(steps -> steps, (all, fewer) -> fewer)
                .check(steps -> {
                    Past past = new Past();
                    steps.forEach(past::live);
                });
    }

    /** One request, and what has to be true of it. */
    private static final class Past {
        private final String prefix = "case " + CASES.incrementAndGet() + ' ';
        private final FakeRequest request = new FakeRequest().with("attribute:case", prefix);
        private final RequestState state = DEPLOYMENT.requests().begin(true);
        private final RateLimits limits = state.limits();
        private final int heldBefore = DEPLOYMENT.requests().leases().held();

        private final Map<PartitionKey, Map<String, Long>> spent = new HashMap<>();
        private final Map<String, PartitionKey> lastKey = new HashMap<>();
        private final Map<String, Set<PartitionKey>> asked = new HashMap<>();
        private final PartitionKey own = PartitionKey.of("attribute:case", prefix);
        private final Map<String, Long> remaining = new TreeMap<>();
        private final Set<String> ofTheRequest = new HashSet<>();
        private final Set<String> counting = new HashSet<>();
        private final List<PartitionKey> flights = new ArrayList<>();
        private int renewed;
        private int decisions;
        private boolean rejected;
        private double heldMillis;
        private int status;
        private final Set<Integer> statuses = new HashSet<>();
        private boolean broken;
        private boolean hasFinished;
        private boolean over;
        /** Units of {@code tokens} that were reserved and not settled, and have not come back. */
        private long reserved;
        /** Whether the method has reserved something since it last settled or forgave. */
        private boolean hasReserved;

        private boolean hasSettled;

        void live(Step step) {
            switch (step.kind()) {
                case DECIDE -> decide(step.number(), step.key());
                case ACQUIRE -> acquire("units", key(step.key()), true);
                case ACQUIRE_TIGHT -> acquire("tight", key(step.key()), spentOf("tight", key(step.key())) == 0);
                case ACQUIRE_LEASE -> acquire("spare", key(step.key()), true);
                case CHARGE -> charge(step.key() == 0 ? "units" : "tokens", step.number());
                case RESERVE -> reserve(step.number());
                case SETTLE -> settle(3 * step.number() - 3);
                case FORGIVE ->
                    forgive(List.of("failures", "refusals", "tokens", "units").get(step.number() % 4));
                case HOLD -> {
                    state.slotWaited(step.number());
                    heldMillis += step.number();
                }
                case TELL_HELD -> {
                    assertThat(state.takeHeldMillis()).as("told held").isEqualTo(heldMillis);
                    heldMillis = 0;
                }
                case RESPOND -> {
                    state.respondsWith(step.number());
                    status = step.number();
                    statuses.add(status);
                    broken = false;
                }
                case FINISH -> {
                    state.finished();
                    finish(status);
                }
                case BREAK_OFF -> {
                    state.brokeOff();
                    broken = true;
                    releaseAll();
                }
                case WRITTEN -> {
                    state.releaseLeases();
                    releaseAll();
                }
                case END -> {
                    state.ended(step.number());
                    over = true;
                    finish(step.number());
                }
            }
            check();
        }

        private void decide(int from, int to) {
            List<Limit> some = from < to ? LIMITS.subList(from, to) : List.of();
            List<String> fresh = some.stream()
                    .map(Limit::name)
                    .filter(ofTheRequest::add)
                    .filter(name -> !name.equals("tokens"))
                    .toList();
            assertThat(DEPLOYMENT.requests().evaluator().decide(state, some, request))
                    .isNull();
            for (String name : fresh) {
                took(name, own);
                if (COUNTED.containsKey(name)) {
                    counting.add(name);
                }
            }
            if (!fresh.isEmpty()) {
                decided(false);
            }
        }

        private void acquire(String policy, PartitionKey key, boolean admitted) {
            try {
                limits.acquire(policy, key);
                assertThat(admitted).isTrue();
                took(policy, key);
            } catch (RateLimitExceededException exceeded) {
                assertThat(admitted).isFalse();
                lastKey.put(policy, key);
                remaining.put(policy, 0L);
            }
            decided(!admitted);
        }

        private void took(String policy, PartitionKey key) {
            lastKey.put(policy, key);
            asked.computeIfAbsent(policy, none -> new HashSet<>()).add(key);
            long now = add(policy, key, 1);
            remaining.put(policy, capacity(policy) - now);
            if (isLease(policy)) {
                flights.add(key);
                renewed += over ? 0 : 1;
            }
        }

        private void decided(boolean wasRejected) {
            decisions++;
            rejected = wasRejected;
        }

        private void charge(String policy, int units) {
            boolean isReserved = policy.equals("tokens") && ofTheRequest.contains(policy);
            if (isReserved || lastKey.containsKey(policy)) {
                long now = add(policy, isReserved ? own : lastKey.get(policy), units);
                assertThat(limits.charge(policy, units).remaining()).isEqualTo(LIMIT - now);
                remaining.put(policy, LIMIT - now);
            }
        }

        private void reserve(int units) {
            if (ofTheRequest.contains("tokens")) {
                limits.reserve("tokens", units);
                reserved += units;
                hasReserved = true;
                lastKey.put("tokens", own);
                remaining.put("tokens", LIMIT - add("tokens", own, units));
                decided(false);
            }
        }

        private void settle(int used) {
            if (ofTheRequest.contains("tokens")) {
                boolean isFirst = hasReserved || !hasSettled;
                long now = add("tokens", own, isFirst ? used - reserved : 0);
                ChargeResult result = limits.settle("tokens", used);
                assertThat(result.remaining()).isEqualTo(LIMIT - now);
                assertThat(result.charged()).isEqualTo(isFirst ? Math.max(0, used - reserved) : 0);
                remaining.put("tokens", LIMIT - now);
                madeFinal();
            }
        }

        private void madeFinal() {
            reserved = 0;
            hasReserved = false;
            hasSettled = true;
        }

        private void forgive(String policy) {
            if (policy.equals("tokens") ? !ofTheRequest.contains(policy) : !lastKey.containsKey(policy)) {
                return;
            }
            assertThat(limits.forgive(policy)).isTrue();
            asked.getOrDefault(policy, Set.of()).forEach(key -> spent.get(key).put(policy, 0L));
            if (policy.equals("tokens")) {
                madeFinal();
                add(policy, own, -spentOf(policy, own));
            }
            counting.remove(policy);
            remaining.computeIfPresent(policy, (same, left) -> LIMIT);
        }

        private void finish(int code) {
            boolean brokenAtTheEnd = broken && (code == status || status == 0);
            if (!hasFinished && !brokenAtTheEnd) {
                for (String policy : counting) {
                    if (!COUNTED.get(policy).contains(code) && !isCounted(policy)) {
                        add(policy, own, code == 0 ? unknownStatus(policy) : -1);
                    }
                }
                if (code == 503 && !isCounted("tokens")) {
                    add("tokens", own, -reserved);
                    reserved = 0;
                }
            }
            hasFinished = true;
            releaseAll();
        }

        /** A response that is replaced by another one counts, too. */
        private boolean isCounted(String policy) {
            return !Collections.disjoint(COUNTED.get(policy), statuses);
        }

        /** A response without a status counts where every response counts. */
        private static long unknownStatus(String policy) {
            return policy.equals("units") ? 0 : -1;
        }

        private void releaseAll() {
            for (PartitionKey key : flights) {
                spent.get(key).computeIfPresent("flight", (name, units) -> 0L);
                spent.get(key).computeIfPresent("spare", (name, units) -> 0L);
            }
            flights.clear();
            renewed = 0;
        }

        private void check() {
            spent.forEach((key, units) -> units.forEach((policy, expected) -> assertThat(
                            capacity(policy) - LIMITER.peek(policy(policy), key).remaining())
                    .as("spent of %s", policy)
                    .isEqualTo(expected)));
            assertThat(DEPLOYMENT.requests().leases().held() - heldBefore)
                    .as("renewed")
                    .isEqualTo(renewed);
            assertThat(state.limits().decisions()).as("decisions").hasSize(decisions);
            Decision.Rejected rejection = state.rejection();
            assertThat(rejection != null).as("the last one rejected").isEqualTo(rejected);
            remaining.forEach((policy, left) -> assertThat(limits.remaining(policy))
                    .as("left of %s", policy)
                    .isEqualTo(left));
            Map<String, Long> published = new TreeMap<>();
            state.published()
                    .forEach(each -> published.put(
                            each.result().policy().name(), each.result().remaining()));
            Map<String, Long> told = new TreeMap<>(remaining);
            told.keySet()
                    .removeIf(policy -> counting.contains(policy) && !policy.equals("units") && !isCounted(policy));
            told.keySet().removeIf(policy -> !lastKey.containsKey(policy));
            if (hasReserved && !isCounted("tokens")) {
                told.remove("tokens");
            }
            assertThat(published)
                    .as("published, but for what comes back, or may")
                    .isEqualTo(told);
        }

        private long add(String policy, PartitionKey key, long units) {
            return spent.computeIfAbsent(key, none -> new HashMap<>()).merge(policy, units, Long::sum);
        }

        private long spentOf(String policy, PartitionKey key) {
            return spent.getOrDefault(key, Map.of()).getOrDefault(policy, 0L);
        }

        private PartitionKey key(int number) {
            return PartitionKey.of("key", prefix + number);
        }

        private static boolean isLease(String policy) {
            return policy(policy).algorithm() == Algorithm.CONCURRENCY;
        }
    }

    private static long capacity(String policy) {
        return policy(policy).capacity();
    }

    private static Policy policy(String name) {
        return DEPLOYMENT.policies().named(name).version().policy();
    }

    private static MapSettings settings() {
        return new MapSettings()
                .with("limiter.policy.spare.key", "'all'")
                .with("limiter.policy.spare.algorithm", "CONCURRENCY")
                .with("limiter.policy.spare.limit", "1000")
                .with("limiter.policy.tight.key", "'all'")
                .with("limiter.policy.tight.algorithm", "SLIDING_LOG")
                .with("limiter.policy.tight.limit", "1")
                .with("limiter.policy.tight.window", "1h");
    }

    private static List<Limit> limits() {
        List<String> problems = new ArrayList<>();
        Plan plan = new PlanReader(DEPLOYMENT.policies(), Application.class)
                .read(Resource.class, Resource.class.getDeclaredMethods()[0], problems);
        assertThat(problems).isEmpty();
        return plan.at(Stage.AFTER_AUTHENTICATION);
    }
}
