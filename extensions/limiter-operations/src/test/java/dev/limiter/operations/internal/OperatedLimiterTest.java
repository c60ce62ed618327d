package dev.limiter.operations.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.internal.algorithm.Ban;
import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.internal.algorithm.PolicyMembers;
import dev.limiter.internal.store.BlockingAcquire;
import dev.limiter.internal.store.CachedRejections;
import dev.limiter.internal.store.InstanceRecord;
import dev.limiter.jaxrs.internal.bootstrap.OperatedApplication.Candidate;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.spi.Ask;
import dev.limiter.spi.GroupDecisions;
import dev.limiter.spi.Layer;
import dev.limiter.spi.RateLimiterProvider;
import dev.limiter.spi.Settings;
import dev.limiter.spi.Signals;
import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Lines;
import dev.limiter.testkit.property.Property;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every verb of two instances on one store, as operators see it. Time is virtual, but on Redis. */
@Tag("proof")
class OperatedLimiterTest {
    private static final Duration WINDOW = Duration.ofSeconds(10);
    private static final Policy LOGIN = banning("login", Algorithm.FIXED_WINDOW, 2, "15m after 3");
    private static final Policy BUY = banning("buy", Algorithm.SLIDING_LOG, 3, "4s after 2");
    private static final Policy TRIED =
            banning("tried", Algorithm.SLIDING_LOG, 1, "4s after 1").asShadow();
    private static final Policy CALLS = Policy.of("calls", Algorithm.GCRA, 4, WINDOW);
    private static final List<Policy> POLICIES = List.of(LOGIN, BUY, TRIED, CALLS);
    private static final List<PartitionKey> KEYS = List.of(user("alice"), user("bob"));

    /** On a node of the store that is down. */
    private static final CheckGroup DOWN = CheckGroup.of(Check.of(LOGIN, user("away")));

    private static Policy banning(String name, Algorithm algorithm, long limit, String ban) {
        return new Policy(PolicyMembers.of(name, algorithm, limit)
                .with(PolicyMember.WINDOW, WINDOW)
                .with(PolicyMember.BAN, Ban.parse(ban)));
    }

    private static PartitionKey user(String name) {
        return PartitionKey.of("user", name);
    }

    private static Ban ban(Policy policy) {
        return policy.members().get(PolicyMember.BAN);
    }

    private static Policy rejections(Policy of) {
        return Policy.of(of.name() + ".rejections", Algorithm.FIXED_WINDOW, ban(of).rejections(), WINDOW);
    }

    private enum Kind {
        ACQUIRE,
        WAIT,
        EACH,
        PEEK,
        /** An operator forgives a caller. */
        FORGIVE,
        /** The changes do not tell any more of callers who were forgiven, but for one. */
        RETAIN,
        /** Another instance bans a caller. */
        CLOSE,
        /** Candidates get the limit {@code number}, or are taken back. */
        TRY,
        LATER
    }

    /** What does not work meanwhile: charges may be made without the store, or throw. */
    private enum Trouble {
        NONE,
        STORE,
        CHARGES,
        NO_CHARGES
    }

    private record Step(Kind kind, int node, List<Check> checks, Trouble trouble, long number) {
        private static Step drawn(Dice dice) {
            PartitionKey key = KEYS.get(dice.chance(80) ? 0 : 1);
            int some = (int) dice.between(1, 15);
            List<Check> checks = POLICIES.stream()
                    .filter(policy -> (some >> POLICIES.indexOf(policy) & 1) == 1)
                    .map(policy -> new Check(policy, key, dice.between(1, Math.min(2, policy.limit()))))
                    .toList();
            Kind asks = dice.oneOf(Kind.ACQUIRE, Kind.ACQUIRE, Kind.ACQUIRE, Kind.WAIT, Kind.EACH);
            Kind kind = dice.chance(70) ? asks : dice.oneOf(Kind.values());
            return new Step(
                    kind,
                    (int) dice.between(0, 1),
                    dice.chance(60) ? checks.subList(0, 1) : checks,
                    dice.chance(90) ? Trouble.NONE : dice.oneOf(Trouble.values()),
                    kind == Kind.LATER
                            ? dice.number(1, dice.oneOf(1L, 4_000_000L, 20_000_000L, 1_000_000_000L))
                            : dice.between(0, 5));
        }

        private Check check() {
            return checks.get(0);
        }
    }

    private record History(boolean cache, List<Step> steps) {
        @Override
        public String toString() {
            return Lines.numbered(cache ? "with a cache of rejections" : "without a cache", steps);
        }
    }

    @Test
    void whatOperatorsSeeAndDoAddsUp() {
        Property.<History>forAll(dice -> new History(dice.chance(50), dice.list(5, 60, Step::drawn)))
                .tries(3_000)
                .leavingOut(History::steps, (history, steps) -> new History(history.cache(), steps))
                .check(history -> {
                    Past past = new Past(history.cache());
                    for (Step step : history.steps()) {
                        past.live(step);
                        past.check();
                    }
                });
    }

    private record Place(String policy, PartitionKey key) {
        static Place of(Check check) {
            return new Place(check.policy().name(), check.key());
        }
    }

    /** What an instance knows: rejections until the ban, and those not charged yet. */
    private static final class Known {
        private long window = -1;
        private long left = 1;
        private long uncharged;
    }

    /** What has to be true of a partition on all instances. */
    private static final class Banned {
        private long untilMicros;
        private long window = -1;
        private long counted;
    }

    private record Tried(String name, long numbers, PartitionKey key, CheckResult result) {
        boolean isRejected() {
            return !result.admitted();
        }

        boolean isNear() {
            return isRejected() || 10 * result.used() >= 8 * numbers;
        }
    }

    /** Two instances, and beside them the same limits without any operator. */
    private static final class Past {
        private final boolean cache;
        private long micros = 1_767_225_600_000_000L;
        private Trouble trouble;
        private final RateLimiter shared = new LocalRateLimiter(this::now);
        private final RateLimiter plain = new LocalRateLimiter(this::now);
        private final List<Node> nodes = List.of(new Node(), new Node());
        private final Map<Place, Banned> bans = new HashMap<>();
        private long numbers;
        private final List<Tried> tried = new ArrayList<>();

        Past(boolean cache) {
            this.cache = cache;
        }

        private Instant now() {
            return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
        }

        void live(Step step) {
            Node at = nodes.get(step.node());
            Check check = step.check();
            Place place = Place.of(check);
            CheckGroup group = new CheckGroup(step.checks());
            trouble = Trouble.NONE;
            at.store.asked.clear();
            at.calls.clear();
            switch (step.kind()) {
                case ACQUIRE, WAIT, EACH -> {
                    trouble = step.trouble();
                    ask(step, at, group);
                }
                case PEEK -> {
                    List<CheckResult> seen = at.operated.peek(group);
                    at.meets(step.checks());
                    assertThat(seen).isEqualTo(results(at, step.checks(), true));
                }
                case FORGIVE -> {
                    shared.reset(check.policy(), check.key());
                    plain.reset(check.policy(), check.key());
                    at.bans.forgive(check.policy(), check.key());
                    at.known.remove(place);
                    bans.remove(place);
                    nodes.forEach(node -> node.forgiven.add(takenBack(place)));
                    nodes.forEach(node -> node.unmet.add(place));
                }
                case RETAIN -> {
                    at.forgiven.retain(Stream.of(takenBack(place)));
                    at.unmet.retainAll(Set.of(place));
                }
                case CLOSE -> {
                    shared.closeGate(check.policy(), check.key(), Duration.ofSeconds(step.number()));
                    close(check, step.number() * 1_000_000);
                }
                case TRY -> {
                    tried.removeIf(each -> numbers != step.number()); // the same numbers are counted on
                    numbers = step.number();
                    nodes.forEach(node -> node.candidates.retain());
                }
                case LATER -> micros += step.number();
            }
        }

        private static Change takenBack(Place of) {
            return new Change(Change.TAKEN_BACK, of.policy(), of.key().text(), Map.of(), 0, 0, "", "");
        }

        private void ask(Step step, Node at, CheckGroup group) {
            List<CheckGroup> groups = new ArrayList<>(List.of(group));
            List<Optional<Decision>> made = new ArrayList<>();
            if (step.kind() == Kind.EACH) {
                step.checks().forEach(each -> groups.add(CheckGroup.of(each)));
                if (step.number() == 0) {
                    groups.add(1, DOWN);
                    assertThatExceptionOfType(StoreUnavailableException.class)
                            .isThrownBy(() -> at.operated.acquireEach(groups))
                            .satisfies(failure -> Stream.iterate(0, i -> i < groups.size(), i -> i + 1)
                                    .forEach(i -> made.add(failure.decision(i))));
                } else {
                    at.operated.acquireEach(groups).forEach(each -> made.add(Optional.of(each)));
                }
            } else {
                made.add(Optional.of(at.acquire(group, step.kind() == Kind.WAIT)));
            }
            for (int i = 0; i < groups.size(); i++) {
                List<Check> checks = groups.get(i).checks();
                if (groups.get(i) == DOWN) {
                    assertThat(made.get(i)).isEmpty();
                } else {
                    at.meets(checks);
                    assertThat(made.get(i).orElseThrow().results()).isEqualTo(results(at, checks, false));
                }
            }
        }

        private static Check gate(Check check) {
            return Check.of(check.policy().gate(), check.key());
        }

        /** What a group is told. Counts what it asked and is told, unless it only peeks. */
        private List<CheckResult> results(Node at, List<Check> checks, boolean peeks) {
            for (Check check : checks) {
                Known known = peeks ? null : at.known.get(Place.of(check));
                if (known != null && known.left == 0) {
                    at.calls.add(CheckGroup.of(gate(check)));
                    if (isBanned(check)) {
                        at.rejected.merge(check.policy().name(), 1L, Long::sum);
                        return checks.stream()
                                .map(each -> each == check ? closed(check) : CheckResult.notChecked(each.policy()))
                                .toList();
                    }
                    at.known.remove(Place.of(check));
                }
            }
            PartitionKey key = checks.get(0).key();
            List<Check> asked = new ArrayList<>(checks);
            boolean banned = checks.stream().anyMatch(this::isBanned);
            if (banned) {
                plain.closeGate(CALLS, key, WINDOW);
                asked.add(Check.of(CALLS.gate(), key));
            }
            CheckGroup group = new CheckGroup(asked);
            boolean spent = cache && !plain.peek(group).get(0).admitted();
            boolean answered = spent && !banned && checks.size() == 1 && at.refused.contains(checks);
            List<CheckResult> made =
                    peeks ? plain.peek(group) : plain.acquire(group).results();
            List<CheckResult> results = new ArrayList<>(marked(made).subList(0, checks.size()));
            for (Check check : checks) {
                if (isBanned(check)) {
                    at.known.computeIfAbsent(Place.of(check), none -> new Known()).left = 0;
                    results.set(checks.indexOf(check), closed(check));
                }
            }
            if (!peeks) {
                at.counts(checks, results, banned, answered);
            }
            return results;
        }

        private List<CheckResult> marked(List<CheckResult> made) {
            return made.stream()
                    .map(each -> trouble != Trouble.STORE
                            ? each
                            : each.admitted() ? CheckResult.notChecked(each.policy()) : without(each.policy(), 7))
                    .toList();
        }

        private static CheckResult without(Policy policy, long micros) {
            return new CheckResult(policy, false, 0, policy.capacity(), 0, micros, micros, micros, true);
        }

        private CheckResult closed(Check check) {
            long left = bans.get(Place.of(check)).untilMicros - micros;
            return trouble == Trouble.STORE
                    ? without(check.policy(), 7)
                    : new CheckResult(check.policy(), false, 0, left, left, left);
        }

        private boolean isBanned(Check check) {
            return bans(check) && bans.containsKey(Place.of(check)) && bans.get(Place.of(check)).untilMicros > micros;
        }

        private static boolean bans(Check check) {
            return check.policy() == LOGIN || check.policy() == BUY;
        }

        private Banned close(Check check, long span) {
            Banned banned = bans.computeIfAbsent(Place.of(check), none -> new Banned());
            banned.untilMicros = Math.max(banned.untilMicros, micros + span);
            return banned;
        }

        private Candidate candidate(Policy of) {
            return numbers == 0 || of != LOGIN && of != CALLS
                    ? null
                    : new Candidate(
                            Policy.of(of.name() + ".candidate", of.algorithm(), numbers, WINDOW)
                                    .asShadow(),
                            numbers);
        }

        void check() {
            for (Check check : KEYS.stream()
                    .flatMap(key -> POLICIES.stream().map(policy -> Check.of(policy, key)))
                    .toList()) {
                Policy policy = check.policy();
                assertThat(shared.peek(policy, check.key())).isEqualTo(plain.peek(policy, check.key()));
                if (bans(check)) {
                    Policy counted = rejections(policy);
                    Banned banned = bans.getOrDefault(Place.of(check), new Banned());
                    assertThat(shared.peek(counted, check.key()).used())
                            .as("rejections of %s", check)
                            .isEqualTo(banned.window == window(check) ? banned.counted : 0);
                }
            }
            nodes.forEach(node -> assertThat(node.store.forgotten).isEqualTo(node.forgets));
            nodes.forEach(node -> assertThat(node.store.asked).as("asked").isEqualTo(node.calls));
            List<String> reports = new ArrayList<>();
            for (Node node : nodes) {
                for (Policy policy : POLICIES) {
                    assertThat(node.rejections.inTenMinutes(policy.name()))
                            .isEqualTo(node.rejected.getOrDefault(policy.name(), 0L));
                }
                reports.addAll(node.candidates.report());
            }
            Map<String, Object> expected = new TreeMap<>();
            tried.forEach(each -> expected.put(each.name(), described(each.name())));
            assertThat(Candidates.sum(reports)).isEqualTo(expected);
        }

        private Map<String, Object> described(String name) {
            long all = callers(name, each -> true);
            return Map.of(
                    "requests",
                            tried.stream()
                                    .filter(each -> each.name().equals(name))
                                    .count(),
                    "candidateRejected",
                            tried.stream()
                                    .filter(each -> each.name().equals(name) && each.isRejected())
                                    .count(),
                    "callers", all,
                    "callersRejected", callers(name, Tried::isRejected),
                    "callersNeverNear", all - callers(name, Tried::isNear));
        }

        private long callers(String name, Predicate<Tried> which) {
            return tried.stream()
                    .filter(each -> each.name().equals(name) && which.test(each))
                    .map(Tried::key)
                    .distinct()
                    .count();
        }

        private long window(Check check) {
            Policy counted = rejections(check.policy());
            return Math.floorDiv(micros - Check.of(counted, check.key()).phaseMicros(), counted.windowMicros());
        }

        /** An instance, and what has to be true of it. */
        private final class Node {
            private final Store store = new Store();
            private final Candidates candidates = new Candidates(
                    new BlockingAcquire(store, () -> micros, span -> micros += span.toNanos() / 1_000),
                    Past.this::candidate,
                    policy -> numbers == 0 ? null : numbers);
            private final Bans bans = new Bans(candidates);
            private final Forgiven forgiven = new Forgiven(bans, bans, PartitionKey::text);
            private final Rejections rejections = new Rejections(forgiven, () -> 0, policy -> true);
            private final RateLimiter operated = rejections;
            private final Map<Place, Known> known = new HashMap<>();
            private final Set<List<Check>> refused = new HashSet<>();
            private final Set<Place> unmet = new HashSet<>();
            private final List<String> forgets = new ArrayList<>();
            private final Map<String, Long> rejected = new HashMap<>();
            private final List<CheckGroup> calls = new ArrayList<>();

            private Decision acquire(CheckGroup group, boolean waits) {
                try {
                    return waits ? operated.acquire(group, Duration.ZERO) : operated.acquire(group);
                } catch (InterruptedException interrupted) {
                    throw new IllegalStateException(interrupted);
                }
            }

            private void meets(List<Check> checks) {
                for (Check check : checks) {
                    if (unmet.remove(Place.of(check))) {
                        forgets.add(check.policy().name());
                        if (check.policy() != CALLS) {
                            forgets.add(check.policy().name() + ".gate");
                            known.remove(Place.of(check));
                        }
                    }
                }
            }

            private void counts(List<Check> checks, List<CheckResult> results, boolean banned, boolean answered) {
                List<Check> asked = new ArrayList<>(checks);
                checks.stream().filter(Past::bans).forEach(check -> asked.add(gate(check)));
                calls.add(new CheckGroup(asked));
                if (results.stream()
                        .anyMatch(each -> !each.admitted() && each.policy().rejects())) {
                    refused.add(checks);
                }
                for (int i = 0; i < checks.size(); i++) {
                    Check check = checks.get(i);
                    tries(check);
                    boolean fits = results.get(i).admitted();
                    if (!fits && check.policy().rejects()) {
                        rejected.merge(check.policy().name(), 1L, Long::sum);
                    }
                    boolean counts = bans(check) && !banned && trouble != Trouble.STORE;
                    if (counts && !(fits && !known.containsKey(Place.of(check)))) {
                        counts(check, results.get(i), answered);
                    }
                }
            }

            /** What the cache answers is charged with the next call, or for the ban. */
            private void counts(Check check, CheckResult result, boolean answered) {
                Known its = known.computeIfAbsent(Place.of(check), none -> new Known());
                Banned of = close(check, 0);
                of.counted = of.window == window(check) ? of.counted : 0;
                of.window = window(check);
                if (its.window != of.window) {
                    its.window = of.window;
                    its.left = ban(check.policy()).rejections();
                    its.uncharged = 0;
                }
                its.uncharged += result.admitted() ? 0 : 1;
                if (answered && its.uncharged < its.left) {
                    return;
                }
                if (trouble == Trouble.NONE && its.uncharged > 0) {
                    of.counted += its.uncharged;
                    its.left = Math.max(0, ban(check.policy()).rejections() - of.counted);
                    if (its.left == 0) {
                        close(check, ban(check.policy()).span().toMillis() * 1_000).counted = 0;
                    }
                }
                its.uncharged = 0;
            }

            private void tries(Check check) {
                Candidate candidate = candidate(check.policy());
                if (candidate == null) {
                    return;
                }
                Policy policy = candidate.policy();
                Check asked = new Check(policy, check.key(), Math.min(check.cost(), policy.maxCost()));
                calls.add(CheckGroup.of(asked));
                CheckResult result =
                        plain.acquire(CheckGroup.of(asked)).results().get(0);
                if (trouble != Trouble.STORE) {
                    tried.add(new Tried(policy.name(), numbers, check.key(), result));
                }
            }
        }

        /** The shared store, perhaps with a cache that is never too late. */
        private final class Store extends Layer implements CachedRejections, InstanceRecord {
            private final Set<CheckGroup> refused = new HashSet<>();
            private final List<CheckGroup> asked = new ArrayList<>();
            private final List<String> forgotten = new ArrayList<>();

            Store() {
                super(shared);
            }

            @Override
            public <A> A answer(Ask<A> ask) {
                if (ask instanceof Ask.Acquire acquire) {
                    return ask.is(decided(acquire.group()));
                }
                if (ask instanceof Ask.AcquireEach each) {
                    return ask.is(GroupDecisions.oneByOne(each.groups(), this::decided));
                }
                if (ask instanceof Ask.Charge charge && trouble == Trouble.CHARGES) {
                    return ask.is(ChargeResult.notCharged(charge.check().policy(), charge.units()));
                }
                if (ask instanceof Ask.Charge && trouble == Trouble.NO_CHARGES) {
                    throw new StoreUnavailableException("no charge", null);
                }
                return shared.answer(ask);
            }

            private Decision decided(CheckGroup group) {
                if (group.checks().get(0).key().equals(DOWN.checks().get(0).key())) {
                    throw new StoreUnavailableException("a node is down", null);
                }
                asked.add(group);
                Decision made = shared.acquire(group);
                if (made instanceof Decision.Admitted admission) {
                    return new Decision.Admitted(marked(made.results()), made.atMicros(), admission.receipt());
                }
                refused.add(group);
                return new Decision.Rejected(marked(made.results()), made.atMicros());
            }

            @Override
            public boolean answers(CheckGroup group) {
                List<CheckResult> now = cache && refused.contains(group) ? shared.peek(group) : List.of();
                boolean single = now.size() == 1
                        || now.size() == 2 && now.get(1).policy().algorithm() == Algorithm.GATE;
                return single
                        && !now.get(0).admitted()
                        && now.get(now.size() - 1).admitted() == (now.size() == 2);
            }

            @Override
            public void forgetAll() {
                refused.clear();
            }

            @Override
            public void forget(Policy policy, PartitionKey key) {
                forgotten.add(policy.name());
            }
        }
    }

    @Test
    void aWaitIsOneRequestThatIsNeitherRejectedNorBannedMeanwhile() throws InterruptedException {
        Past past = new Past(false);
        past.trouble = Trouble.NONE;
        Past.Node node = past.nodes.get(0);
        CheckGroup asked = CheckGroup.of(Check.of(BUY, KEYS.get(0)));
        for (int i = 0; i < 9; i++) {
            assertThat(node.operated.acquire(asked, Duration.ofSeconds(11)).admitted())
                    .isTrue();
        }
        for (int rejected = 1; rejected <= 2; rejected++) {
            assertThat(node.operated.acquire(asked, Duration.ofSeconds(1)).admitted())
                    .isFalse();
            assertThat(node.rejections.inTenMinutes("buy")).isEqualTo(rejected);
        }
        assertThat(node.operated.acquire(asked, Duration.ofSeconds(60)).results())
                .extracting(CheckResult::retryAfterMicros)
                .containsExactly(4_000_000L);
    }

    @Test
    void aLateDecisionIsNoneOfTheNumbersThatFollow() {
        Past past = new Past(false);
        past.numbers = 1;
        Candidates candidates = past.nodes.get(0).candidates;
        CheckGroup login = CheckGroup.of(Check.of(LOGIN, KEYS.get(0)));
        Candidates.Beside late = candidates.of(login).get(0);
        Decision decision = past.plain.acquire(late.asked());
        past.numbers = 2;
        candidates.count(late, decision);
        assertThat(candidates.report()).isEmpty();
        Candidates.Beside inTime = candidates.of(login).get(0);
        candidates.count(inTime, past.plain.acquire(inTime.asked()));
        candidates.count(late, decision);
        assertThat(candidates.report()).singleElement().asString().startsWith("login.candidate\t1\t0\t");
        past.numbers = 0;
        candidates.count(inTime, decision);
        assertThat(candidates.report()).isEmpty();
    }

    /** Redis' cache holds for 10 s, so a slow machine asks again. */
    @Test
    void rejectionsOfTheCacheCostNoCallAndTheTwentiethBansOnBothInstances() {
        Policy limit = new Policy(PolicyMembers.of("login", Algorithm.FIXED_WINDOW, 1)
                .with(PolicyMember.WINDOW, Duration.ofDays(300))
                .with(PolicyMember.BAN, Ban.parse("1h after 20")));
        PartitionKey key = KEYS.get(0);
        try (RedisServer redis = RedisServer.start();
                RateLimiter one = onRedis(redis);
                RateLimiter second = onRedis(redis)) {
            assertThat(one.acquire(limit, key).admitted()).isTrue();
            long began = System.nanoTime();
            long before = calls(redis);
            for (int rejected = 1; rejected < 19; rejected++) {
                assertThat(one.acquire(limit, key).admitted()).isFalse();
            }
            long periods = 1 + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began) / 10;
            assertThat(calls(redis) - before).isLessThanOrEqualTo(2 * periods);
            before = calls(redis);
            one.acquire(CheckGroup.of(Check.of(limit, key)).asRefundable());
            assertThat(calls(redis)).as("what may come back is asked").isGreaterThan(before);
            assertThat(one.peek(limit.gate(), key).admitted()).isTrue();
            one.acquire(limit, key);
            for (RateLimiter each : List.of(second, one, second)) {
                assertThat(each.acquire(limit, key).results().get(0).retryAfterMicros() / 1_000_000)
                        .isBetween(3_000L, 3_600L);
            }
        }
    }

    private static RateLimiter onRedis(RedisServer redis) {
        Map<String, String> values = Map.of("limiter.redis.uri", redis.uri(), "limiter.redis.deadline", "20s");
        Settings settings = name -> Optional.ofNullable(values.get(name));
        RateLimiter store = ServiceLoader.load(RateLimiterProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.isNamed(settings))
                .flatMap(each -> each.create("calls", settings, Signals.NONE).stream())
                .findFirst()
                .orElseThrow();
        Bans bans = new Bans(new Candidates(store, policy -> null, policy -> null));
        return new Rejections(
                new Forgiven(bans, (policy, key) -> {}, PartitionKey::text), System::nanoTime, policy -> true);
    }

    private static long calls(RedisServer redis) {
        String stats = redis.command("INFO", "commandstats").toString();
        return Long.parseLong(stats.replaceAll("(?s).*cmdstat_evalsha:calls=(\\d+).*", "$1"));
    }
}
