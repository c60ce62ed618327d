package dev.limiter.operations.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.jaxrs.internal.bootstrap.OperatedApplication.Candidate;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.testkit.property.TestSize;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a candidate would have done is what it does once it is in force, on the same requests. */
@Tag("proof")
class CandidatesTest {
    private static final int REQUESTS = TestSize.of(200_000);
    private static final int CALLERS = 2_000;
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private record Request(Instant at, PartitionKey key) {}

    private final AtomicReference<Instant> now = new AtomicReference<>(BEGIN);

    /** Callers of very different eagerness. */
    private static List<Request> trace(long seed) {
        Random dice = new Random(seed);
        List<Request> requests = new ArrayList<>();
        Instant at = BEGIN;
        for (int i = 0; i < REQUESTS; i++) {
            at = at.plusNanos(1_000 * dice.nextInt(4_000));
            int caller = (int) (CALLERS * Math.pow(dice.nextDouble(), 4));
            requests.add(new Request(at, PartitionKey.of("user", "user-" + caller)));
        }
        return requests;
    }

    @ParameterizedTest
    @CsvSource({
        "GCRA, 5",
        "GCRA, 10",
        "GCRA, 40",
        "FIXED_WINDOW, 5",
        "FIXED_WINDOW, 40",
        "SLIDING_LOG, 4",
        "SLIDING_LOG, 60"
    })
    void countsAndCallersAreThoseOfTheCandidateInForce(Algorithm algorithm, long limit) {
        Policy inForce = Policy.of("p", algorithm, 10, Duration.ofSeconds(10));
        Policy candidate = Policy.of("p.candidate", algorithm, limit, Duration.ofSeconds(10))
                .asShadow();
        Candidates candidates = new Candidates();
        List<Request> trace = trace(limit);
        Set<PartitionKey> rejectedCallers = new HashSet<>();
        Map<PartitionKey, Long> used = new HashMap<>();
        long rejected = 0;
        try (RateLimiter beside = operated(candidates, new Candidate(candidate, candidate))) {
            for (Request request : trace) {
                decide(beside, inForce, request);
            }
        }
        Policy then = Policy.of("p.candidate", algorithm, limit, Duration.ofSeconds(10));
        try (RateLimiter alone = new LocalRateLimiter(now::get)) {
            for (Request request : trace) {
                CheckResult result = decide(alone, then, request).results().get(0);
                used.merge(request.key(), result.used(), Math::max);
                if (!result.admitted()) {
                    rejected++;
                    rejectedCallers.add(request.key());
                }
            }
        }
        used.values().removeIf(most -> 10 * most < 8 * limit);
        long callers = trace.stream().map(Request::key).distinct().count();
        assertThat(rejected).isPositive();
        Map<?, ?> reported = (Map<?, ?>)
                Candidates.sum(candidates.report(Set.of("p.candidate"))).get("p.candidate");
        assertThat(reported.get("requests")).isEqualTo((long) REQUESTS);
        assertThat(reported.get("candidateRejected")).isEqualTo(rejected);
        assertThat(reported.get("callersRejected")).isEqualTo((long) rejectedCallers.size());
        assertThat(reported.get("callers")).isEqualTo(callers);
        assertThat(reported.get("callersNeverNear")).isEqualTo(callers - used.size());
    }

    @Test
    void countsGoOnWithEqualNumbersAndEndWithOthersOrNone() {
        Candidates candidates = new Candidates();
        Policy policy = Policy.of("p.candidate", Algorithm.GCRA, 1, Duration.ofSeconds(10));
        PartitionKey key = PartitionKey.of("user", "alice");
        try (RateLimiter limiter = new LocalRateLimiter(now::get)) {
            for (List<String> numbers : List.of(List.of("a"), List.of("a"), new ArrayList<>(List.of("a")))) {
                candidates.count(new Candidate(policy, numbers), key, limiter.acquire(policy, key));
            }
            assertThat(requests(candidates)).isEqualTo(3L);
            candidates.count(new Candidate(policy, List.of("b")), key, limiter.acquire(policy, key));
            CheckResult away = new CheckResult(policy, false, 0, 1, 0, 5, 5, 5, true);
            candidates.count(new Candidate(policy, List.of("b")), key, new Decision.Rejected(List.of(away), 7));
            assertThat(requests(candidates)).isEqualTo(1L);
        }
        assertThat(candidates.report(Set.of())).isEmpty();
    }

    private static Object requests(Candidates candidates) {
        Map<?, ?> reported = (Map<?, ?>)
                Candidates.sum(candidates.report(Set.of("p.candidate"))).get("p.candidate");
        return reported.get("requests");
    }

    private RateLimiter operated(Candidates candidates, Candidate candidate) {
        RateLimiter limiter = new LocalRateLimiter(now::get);
        return new OperatedRateLimiter(
                limiter,
                new Rejections(System::nanoTime, policy -> true),
                candidates,
                new Bans(limiter),
                new Forgiven((policy, key) -> {}, PartitionKey::text),
                check -> candidate);
    }

    private Decision decide(RateLimiter limiter, Policy policy, Request request) {
        now.set(request.at());
        return limiter.acquire(CheckGroup.of(Check.of(policy, request.key())));
    }
}
