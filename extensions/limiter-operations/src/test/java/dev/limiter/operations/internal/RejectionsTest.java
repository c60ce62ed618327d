package dev.limiter.operations.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.local.LocalRateLimiter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RejectionsTest {
    private static final int MADE_UP = 1_000;
    private static final int MOST_BYTES = 1 << 20;

    private long nanos;
    private final Rejections rejections = new Rejections(null, () -> nanos, "login"::equals);

    private void reject(String policy, String user) {
        Check check = Check.of(
                Policy.of(policy, Algorithm.FIXED_WINDOW, 1, Duration.ofDays(1)), PartitionKey.of("user", user));
        try (RateLimiter limiter = new LocalRateLimiter(() -> Instant.EPOCH)) {
            limiter.acquire(CheckGroup.of(check));
            rejections.count(CheckGroup.of(check), (Decision.Rejected) limiter.acquire(CheckGroup.of(check)));
        }
    }

    @Test
    void namesThatCodeMakesUpHideNoDeployedPolicy() {
        for (int i = 0; i <= MADE_UP; i++) {
            reject("tenant " + i, "alice");
        }
        reject("login", "eve");
        assertThat(rejections.inTenMinutes("login")).isEqualTo(1);
        assertThat(rejections.inTenMinutes("tenant 0")).isEqualTo(1);
        assertThat(rejections.inTenMinutes("tenant " + MADE_UP)).isZero();
    }

    /** A lease is asked for again while its request runs: that is no request that is rejected. */
    @Test
    void renewalsThatAreRejectedAreNoRejections() {
        Policy jobs = Policy.concurrency("jobs", 1);
        PartitionKey all = PartitionKey.of("literal", "all");
        try (RateLimiter memory = new LocalRateLimiter(() -> Instant.EPOCH);
                Rejections counting = new Rejections(memory, () -> nanos, name -> true)) {
            memory.acquire(CheckGroup.of(Check.ofLease(jobs, all, "one")));
            CheckGroup second = CheckGroup.of(Check.ofLease(jobs, all, "second"));
            assertThat(counting.acquireEach(List.of(second)).get(0).admitted()).isFalse();
            assertThat(counting.inTenMinutes("jobs")).isZero();
            counting.acquire(second);
            assertThat(counting.inTenMinutes("jobs")).isEqualTo(1);
        }
    }

    @Test
    void aReportHasRoomForThePoliciesThatRejectMost() {
        for (int i = 0; i < MADE_UP; i++) {
            for (int user = 0; user < 20; user++) {
                reject("tenant of the customer with number " + i, "user " + user);
            }
        }
        for (int user = 0; user < 30; user++) {
            reject("login", "user " + user);
        }
        String report = rejections.report(PartitionKey::text);
        assertThat(report.length()).isBetween(MOST_BYTES / 2, MOST_BYTES);
        Map<String, ?> lastHour = Rejections.sum(List.of(report), Map.of()).get("lastHour");
        assertThat(lastHour).containsKey("login").hasSizeGreaterThan(100);
    }

    @Test
    void reportsAreSummedBySpanAndCallersOfOthersAreToldByTheirDigest() {
        for (int i = 0; i < 3; i++) {
            reject("login", "alice");
        }
        String other = rejections.report(key -> "digest");
        nanos += 2 * MostRejected.SLICE_NANOS;
        for (String user : List.of("alice", "eve", "eve")) {
            reject("login", user);
        }
        assertThat(rejections.inTenMinutes("login")).isEqualTo(3);
        List<String> reports = List.of(other, rejections.report(PartitionKey::text));
        assertThat(Rejections.sum(reports, rejections.known(PartitionKey::text))
                        .toString()
                        .replace("rejected=", ""))
                .isEqualTo("{lastTenMinutes={login=[{caller={partition=digest}, 3, atLeast=3},"
                        + " {caller={user=eve}, 2, atLeast=2}, {caller={user=alice}, 1, atLeast=1}]},"
                        + " lastHour={login=[{caller={user=alice}, 4, atLeast=4},"
                        + " {caller={partition=digest}, 3, atLeast=3}, {caller={user=eve}, 2, atLeast=2}]}}");
    }
}
