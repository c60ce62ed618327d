package dev.limiter.operations.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.internal.algorithm.Ban;
import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.internal.algorithm.PolicyMembers;
import dev.limiter.internal.store.BlockingAcquire;
import dev.limiter.internal.store.CachedRejections;
import dev.limiter.internal.store.InstanceRecord;
import dev.limiter.jaxrs.internal.bootstrap.OperatedApplication.Candidate;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.spi.ForwardingRateLimiter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every verb, as operators see it. Time is virtual. */
class OperatedRateLimiterTest {
    private static final Policy LIMIT = banning(1, "15m after 2");
    private static final PartitionKey KEY = PartitionKey.of("user", "alice");
    private static final CheckGroup ASKED = CheckGroup.of(Check.of(LIMIT, KEY));

    private static final Policy CALLS = Policy.of("calls", Algorithm.FIXED_WINDOW, 100, Duration.ofSeconds(10));
    private static final Policy CANDIDATE = Policy.of(
                    "calls.candidate", Algorithm.FIXED_WINDOW, 3, Duration.ofSeconds(10))
            .asShadow();

    private boolean storeIsAway;
    private boolean remembers;
    private final Map<CheckGroup, Decision> remembered = new HashMap<>();
    private final List<Long> charges = new ArrayList<>();
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final RateLimiter alone = new LocalRateLimiter(now::get);
    private final RateLimiter waiting = new Store();
    private final Rejections rejections = new Rejections(System::nanoTime, policy -> true);
    private final Candidates candidates = new Candidates();
    private final List<String> forgotten = new ArrayList<>();
    private final Bans bans = new Bans(waiting);
    private final Forgiven forgiven = new Forgiven(bans, PartitionKey::text);
    private final RateLimiter operated = instance(bans, check -> null);
    private final RateLimiter other = instance(new Bans(waiting), check -> null);

    private static Policy banning(long limit, String ban) {
        return banning("p", limit, ban);
    }

    private static Policy banning(String name, long limit, String ban) {
        return new Policy(PolicyMembers.of(name, Algorithm.FIXED_WINDOW, limit)
                .with(PolicyMember.WINDOW, Duration.ofSeconds(10))
                .with(PolicyMember.BAN, Ban.parse(ban)));
    }

    private RateLimiter instance(Bans its, Function<Check, Candidate> candidateOf) {
        return new OperatedRateLimiter(waiting, rejections, candidates, its, forgiven, candidateOf);
    }

    /** In memory. Its rejections may hold until the test forgets them, as those of a cache do. */
    private final class Store extends ForwardingRateLimiter implements CachedRejections, InstanceRecord {
        Store() {
            super(alone);
        }

        @Override
        public Decision acquire(CheckGroup group) {
            if (!answers(group)) {
                Decision decision = limiter.acquire(group);
                remembered.put(group, remembers && !decision.admitted() ? decision : null);
                return decision;
            }
            return remembered.get(group);
        }

        @Override
        public Decision acquire(CheckGroup group, Duration atMost) throws InterruptedException {
            return new BlockingAcquire(this::micros, span -> now.updateAndGet(at -> at.plus(span)))
                    .acquire(limiter::acquire, limiter::refund, group, atMost);
        }

        @Override
        public ChargeResult charge(Policy policy, PartitionKey key, long units) {
            charges.add(units);
            ChargeResult made = limiter.charge(policy, key, units);
            return new ChargeResult(
                    policy,
                    made.charged(),
                    made.dropped(),
                    made.remaining(),
                    made.used(),
                    made.nextAfterMicros(),
                    made.resetAfterMicros(),
                    storeIsAway);
        }

        private long micros() {
            return ChronoUnit.MICROS.between(Instant.EPOCH, now.get());
        }

        @Override
        public boolean answers(CheckGroup group) {
            return remembered.get(group) != null;
        }

        @Override
        public void forgetAll() {
            remembered.clear();
        }

        @Override
        public void forget(Policy policy, PartitionKey key) {
            forgotten.add(policy.name());
        }
    }

    private enum Verb {
        ACQUIRE,
        WAIT,
        EACH,
        PEEK,
        CHARGE,
        REFUND,
        SETTLE,
        RESET;

        /**
         * The results; none if the verb has none.
         *
         * @param before is given back, or settled at 2 units
         */
        private List<CheckResult> on(RateLimiter limiter, Check check, Decision.Admitted before)
                throws InterruptedException {
            CheckGroup group = CheckGroup.of(check);
            switch (this) {
                case ACQUIRE:
                    return limiter.acquire(group).results();
                case WAIT:
                    return limiter.acquire(group, Duration.ZERO).results();
                case EACH:
                    return limiter.acquireEach(List.of(group)).get(0).results();
                case PEEK:
                    return limiter.peek(group);
                case CHARGE:
                    limiter.charge(check.policy(), check.key(), check.cost());
                    return List.of();
                case REFUND:
                    limiter.refund(before);
                    return List.of();
                case SETTLE:
                    limiter.settle(before, check.policy(), 2);
                    return List.of();
                default:
                    limiter.reset(check.policy(), check.key());
                    return List.of();
            }
        }
    }

    /** Twice 5 units, after 5: the candidate has room for 3, so the first one fits there. */
    @ParameterizedTest
    @CsvSource({
        "ACQUIRE, 15, 2, 1",
        "WAIT, 15, 2, 1",
        "EACH, 15, 2, 1",
        "PEEK, 5, 0, 0",
        "CHARGE, 15, 0, 0",
        "REFUND, 0, 0, 0",
        "SETTLE, 2, 0, 0",
        "RESET, 0, 0, 0"
    })
    void besideACandidate(Verb verb, long used, long asked, long rejected) throws InterruptedException {
        Check five = new Check(CALLS, KEY, 5);
        Decision.Admitted before = (Decision.Admitted) alone.acquire(CheckGroup.of(five));
        RateLimiter limiter = instance(bans, check -> new Candidate(CANDIDATE, CANDIDATE));
        for (int time = 0; time < 2; time++) {
            assertThat(verb.on(limiter, five, before)).allMatch(CheckResult::admitted);
        }
        assertThat(alone.peek(CALLS, KEY).used()).isEqualTo(used);
        Map<?, ?> counts = (Map<?, ?>) Candidates.sum(candidates.report(Set.of("calls.candidate")))
                .getOrDefault("calls.candidate", Map.of("requests", 0L, "candidateRejected", 0L));
        assertThat(counts.get("requests")).isEqualTo(asked);
        assertThat(counts.get("candidateRejected")).isEqualTo(rejected);
    }

    /** One instance has banned it 20 s ago for 15 min. Since then 5 units fit. Both are asked. */
    @ParameterizedTest
    @CsvSource({
        "ACQUIRE, 880, 0, 2",
        "WAIT, 880, 0, 2",
        "EACH, 880, 0, 2",
        "PEEK, 880, 0, 0",
        "CHARGE, , 10, 0",
        "REFUND, , 0, 0",
        "SETTLE, , 0, 0",
        "RESET, , 0, 0"
    })
    void ofABannedPartition(Verb verb, Long waits, long used, int counted) throws InterruptedException {
        Check five = new Check(banning(5, "15m after 2"), KEY, 5);
        Decision.Admitted before = (Decision.Admitted) operated.acquire(CheckGroup.of(five));
        for (int i = 0; i < 2; i++) {
            assertThat(operated.acquire(CheckGroup.of(five)).admitted()).isFalse();
        }
        now.updateAndGet(at -> at.plusSeconds(20));
        long earlier = rejections.inTenMinutes("p");
        for (RateLimiter limiter : List.of(operated, other)) {
            assertThat(verb.on(limiter, five, before))
                    .extracting(result -> result.retryAfterMicros() / 1_000_000)
                    .isEqualTo(waits == null ? List.of() : List.of(waits));
        }
        assertThat(rejections.inTenMinutes("p") - earlier).isEqualTo(counted);
        assertThat(alone.peek(five.policy(), KEY).used()).isEqualTo(used);
        assertThat(operated.acquire(ASKED).admitted()).as("by code").isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "ACQUIRE, true",
        "WAIT, true",
        "EACH, true",
        "PEEK, true",
        "CHARGE, false",
        "REFUND, false",
        "SETTLE, false",
        "RESET, false"
    })
    void ofAForgivenPartitionTheRecordIsForgottenOnce(Verb verb, boolean forgets) throws InterruptedException {
        Check check = Check.of(banning(5, "15m after 2"), KEY);
        Decision.Admitted before = (Decision.Admitted) alone.acquire(CheckGroup.of(check));
        forgive();
        for (int time = 0; time < 2; time++) {
            verb.on(operated, check, before);
        }
        assertThat(forgotten).isEqualTo(forgets ? List.of("p", "p.gate") : List.of());
    }

    private void forgive() {
        forgive("p");
    }

    private void forgive(String policy) {
        forgiven.add(new Change(Change.TAKEN_BACK, policy, KEY.text(), Map.of(), 0, 0, "", ""));
    }

    /** Each of two limits of a request: banned, tried with a candidate, and forgiven. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void ofTwoLimitsTheRightOneIsMeant(int which) {
        List<Policy> two = List.of(banning("p", 5, "15m after 2"), banning("q", 5, "15m after 2"));
        CheckGroup both = CheckGroup.of(Check.of(two.get(0), KEY), Check.of(two.get(1), KEY));
        Policy meant = two.get(which);
        forgive(meant.name());
        operated.acquire(both);
        assertThat(forgotten).containsExactly(meant.name(), meant.name() + ".gate");
        RateLimiter tried = instance(new Bans(waiting), check -> {
            String name = check.policy().name() + ".candidate";
            long limit = check.policy() == meant ? 1 : 9;
            Policy candidate = Policy.of(name, Algorithm.FIXED_WINDOW, limit, Duration.ofSeconds(10))
                    .asShadow();
            return new Candidate(candidate, candidate);
        });
        tried.acquire(both);
        tried.acquire(both);
        for (Policy policy : two) {
            Map<?, ?> counts = (Map<?, ?>) Candidates.sum(candidates.report(Set.of("p.candidate", "q.candidate")))
                    .get(policy.name() + ".candidate");
            assertThat(counts.get("requests")).isEqualTo(2L);
            assertThat(counts.get("candidateRejected")).isEqualTo(policy == meant ? 1L : 0L);
        }
        alone.closeGate(meant, KEY, Duration.ofMinutes(15));
        for (RateLimiter limiter : List.of(operated, operated, other)) {
            List<CheckResult> results = limiter.acquire(both).results();
            assertThat(results.get(which).retryAfterMicros()).isEqualTo(900_000_000);
            assertThat(results.get(1 - which).admitted()).isTrue();
        }
        assertThat(rejections.inTenMinutes(meant.name())).isEqualTo(3);
        assertThat(rejections.inTenMinutes(two.get(1 - which).name())).isZero();
    }

    @ParameterizedTest
    @CsvSource({"ACQUIRE, 2", "WAIT, 2", "EACH, 2", "PEEK, 0", "CHARGE, 0", "RESET, 0"})
    void whomALimitWithoutABanRejectsIsCounted(Verb verb, long counted) throws InterruptedException {
        Check all = new Check(CALLS, KEY, 100);
        operated.acquire(CheckGroup.of(all));
        for (int time = 0; time < 2; time++) {
            verb.on(operated, all, null);
        }
        assertThat(rejections.inTenMinutes("calls")).isEqualTo(counted);
    }

    @Test
    void aShadowBesideItRejectsNoCaller() {
        Policy shadow = Policy.of("shadow", Algorithm.FIXED_WINDOW, 1, Duration.ofSeconds(10))
                .asShadow();
        for (int time = 0; time < 2; time++) {
            operated.acquire(CheckGroup.of(new Check(CALLS, KEY, 100), Check.of(shadow, KEY)));
        }
        assertThat(rejections.inTenMinutes("calls")).isOne();
        assertThat(rejections.inTenMinutes("shadow")).isZero();
    }

    /** A lease that has ended when it is renewed rejects no caller. */
    @Test
    void leasesThatAreRenewedAreNotCountedAndAskTheGatesOfOthersOnly() {
        Policy jobs = Policy.concurrency("jobs", 1);
        CheckGroup lease = CheckGroup.of(Check.ofLease(jobs, KEY, "lease"));
        alone.acquire(CheckGroup.of(Check.ofLease(jobs, KEY, "another")));
        assertThat(operated.acquireEach(List.of(lease)).get(0).admitted()).isFalse();
        assertThat(rejections.inTenMinutes("jobs")).isZero();
        ban();
        CheckGroup both = CheckGroup.of(Check.ofLease(jobs, KEY, "another"), Check.of(LIMIT, KEY));
        assertThat(operated.acquireEach(List.of(both)).get(0).admitted()).isFalse();
    }

    private void ban() {
        for (int i = 0; i < 3; i++) {
            operated.acquire(ASKED);
        }
        now.updateAndGet(at -> at.plusSeconds(20));
    }

    @Test
    void aBanThatIsShorterThanTheWindowBeginsToCountAnew() {
        Policy log = new Policy(PolicyMembers.of("p", Algorithm.SLIDING_LOG, 1)
                .with(PolicyMember.WINDOW, Duration.ofSeconds(10))
                .with(PolicyMember.BAN, Ban.parse("1s after 2")));
        operated.acquire(log, KEY);
        for (int ban = 0; ban < 2; ban++) {
            for (long waits : new long[] {10, 10, 1}) {
                assertThat(retrySeconds(operated.acquire(log, KEY))).isEqualTo(waits - (waits > 1 ? ban : 0));
            }
            now.updateAndGet(at -> at.plusSeconds(1));
        }
        assertThat(charges).containsExactly(1L, 1L, 1_000L, 1L, 1L, 1_000L);
    }

    private static long retrySeconds(Decision decision) {
        return decision.results().get(0).retryAfterMicros() / 1_000_000;
    }

    @Test
    void rejectionsOfTheCacheAreChargedTogetherAndTheLastOneBans() {
        CheckGroup asked = CheckGroup.of(Check.of(banning(1, "1m after 5"), KEY));
        remembers = true;
        operated.acquire(asked);
        for (int rejected = 0; rejected < 5; rejected++) {
            assertThat(retrySeconds(operated.acquire(asked))).isLessThan(10);
        }
        assertThat(charges).containsExactly(1L, 4L, 60_000L);
        assertThat(retrySeconds(operated.acquire(asked))).isEqualTo(60);
    }

    @Test
    void theNextCallBringsThemAndTheyCountWithThoseOfOtherInstances() {
        CheckGroup asked = CheckGroup.of(Check.of(banning(1, "1m after 5"), KEY));
        remembers = true;
        operated.acquire(asked);
        for (int rejected = 0; rejected < 3; rejected++) {
            operated.acquire(asked);
        }
        remembered.clear();
        operated.acquire(asked);
        assertThat(charges).containsExactly(1L, 3L);
        remembered.clear();
        other.acquire(asked);
        assertThat(charges).containsExactly(1L, 3L, 1L, 60_000L);
    }

    /** 3 rejections, of which 2 are not charged; then what ends their count. */
    @ParameterizedTest
    @CsvSource({
        "a window, 1",
        "a ban by another instance, 1",
        "an operator, 1",
        "another instance forgives, 1",
        "nothing, 3"
    })
    void whatTheCacheHasRejectedCountsInItsWindowUnlessItIsForgiven(String end, long charged) {
        CheckGroup asked = CheckGroup.of(Check.of(banning(1, "1s after 5"), KEY));
        remembers = true;
        operated.acquire(asked);
        for (int rejected = 0; rejected < 3; rejected++) {
            operated.acquire(asked);
        }
        remembered.clear();
        switch (end) {
            case "a window" -> now.updateAndGet(at -> at.plusSeconds(10));
            case "a ban by another instance" -> {
                alone.closeGate(LIMIT, KEY, Duration.ofSeconds(1));
                assertThat(retrySeconds(operated.acquire(asked))).isEqualTo(1);
                remembered.clear();
                now.updateAndGet(at -> at.plusSeconds(1));
            }
            case "another instance forgives" -> forgive();
            case "an operator" -> {
                operated.reset(LIMIT, KEY);
                bans.forgive(asked.checks().get(0).policy(), KEY);
            }
            default -> {}
        }
        charges.clear();
        while (charges.isEmpty()) {
            operated.acquire(asked);
        }
        assertThat(charges).containsExactly(charged);
    }

    @Test
    void aCallerThatWaitsIsNeitherRejectedNorBannedMeanwhile() throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            assertThat(operated.acquire(ASKED, Duration.ofSeconds(11)).admitted())
                    .isTrue();
        }
        assertThat(rejections.inTenMinutes("p")).isZero();
    }

    @Test
    void aWaitInVainIsOneRejection() throws InterruptedException {
        operated.acquire(ASKED);
        assertThat(operated.acquire(ASKED, Duration.ofSeconds(1)).admitted()).isFalse();
        assertThat(rejections.inTenMinutes("p")).isEqualTo(1);
        operated.acquire(ASKED, Duration.ofSeconds(1));
        assertThat(operated.acquire(ASKED, Duration.ofSeconds(60)).results())
                .extracting(CheckResult::retryAfterMicros)
                .containsExactly(Duration.ofMinutes(15).toNanos() / 1_000);
    }

    /** A part of the number of the ban is spent there, and the store may be back at once. */
    @Test
    void whatOneInstanceCountsWhileTheStoreIsAwayBansNoCaller() {
        storeIsAway = true;
        for (int i = 0; i < 5; i++) {
            operated.acquire(ASKED);
        }
        now.updateAndGet(at -> at.plusSeconds(20));
        assertThat(operated.acquire(ASKED).admitted()).isTrue();
    }

    @Test
    void aBanClosesItsPartitionAloneAlsoForSeveralGroupsAtATime() {
        ban();
        assertThat(alone.peek(LIMIT, KEY).admitted()).isTrue();
        CheckGroup bob = CheckGroup.of(Check.of(LIMIT, PartitionKey.of("user", "bob")));
        assertThat(operated.acquireEach(List.of(ASKED, bob)))
                .extracting(Decision::admitted)
                .containsExactly(false, true);
    }

    @Test
    void whatIsLeftOfABannedPartitionIsWhatItsNextRequestIsTold() {
        ban();
        assertThat(operated.peek(ASKED)).isEqualTo(operated.acquire(ASKED).results());
    }
}
