package dev.limiter.redis.faults;

import static dev.limiter.redis.faults.Limiters.ROOMY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.testkit.RedisCluster;
import dev.limiter.testkit.RedisServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.util.JedisClusterCRC16;

/** A cluster that changes under load. */
@Tag("faults")
class ClusterFaultsTest {
    private static final int THREADS = 8;
    private static final int KEYS = 4;
    private static final int FEWEST_MIGRATIONS = 20;
    private static final long LIMIT = 3_000;
    private static final Policy TIGHT = Limiters.counter("tight", LIMIT);
    private static final Policy ROOM = Limiters.counter("room", ROOMY);
    private static final long CUT_MILLIS = 100;

    /** Groups of two policies, whose two keys move together, but one after the other. */
    @Test
    void noMoreThanTheLimitIsAdmittedWhileSlotsMove() {
        LogAssertions told = new LogAssertions();
        List<Tally> tallies = Stream.generate(Tally::new).limit(KEYS).toList();
        try (RedisCluster cluster = RedisCluster.start(3, 0);
                RateLimiter limiter = Limiters.closed(cluster.uri(), told, Limiters.PATIENT);
                Crowd crowd = Crowd.of(THREADS, (thread, number) -> {
                    int key = (thread + number) % KEYS;
                    PartitionKey partition = Limiters.key("key " + key);
                    CheckGroup group = CheckGroup.of(Check.of(TIGHT, partition), Check.of(ROOM, partition));
                    return tallies.get(key).ask(() -> limiter.acquire(group));
                })) {
            int[] slots = IntStream.range(0, KEYS)
                    .map(key -> cluster.slotOf(limiter.storeKey(TIGHT, Limiters.key("key " + key))))
                    .toArray();
            int migrations = 0;
            while (migrations < FEWEST_MIGRATIONS || !tallies.stream().allMatch(tally -> tally.rejected() > 0)) {
                int slot = slots[migrations % KEYS];
                RedisServer keeper = cluster.masterOf(slot);
                int place = cluster.nodes().indexOf(keeper);
                cluster.migrateSlot(slot, cluster.nodes().get((place + 1) % 3));
                migrations++;
            }
            crowd.stop();
            int failed = tallies.stream().mapToInt(Tally::failed).sum();
            Moments.say(
                    "slots migrated under load, %d times: %,d of %,d admitted, %d errors (TRYAGAIN)",
                    migrations, tallies.stream().mapToLong(Tally::admitted).sum(), KEYS * LIMIT, failed);
            assertThat(tallies).allSatisfy(tally -> {
                assertThat(tally.admitted()).isEqualTo(LIMIT);
                assertThat(tally.failures().keySet()).allMatch(reason -> reason.contains("TRYAGAIN"));
            });
            assertThat(told.errors().values().stream()
                            .mapToInt(Integer::intValue)
                            .sum())
                    .isEqualTo(failed);
            assertThat(told.ambiguous()).isZero();
            for (int key = 0; key < KEYS; key++) {
                assertThat(Limiters.used(limiter, ROOM, Limiters.key("key " + key)))
                        .isEqualTo(LIMIT);
            }
        }
    }

    /** One master of three dies, whose replica has not received everything. */
    private static final class Failover implements AutoCloseable {
        private final RedisCluster cluster =
                RedisCluster.startBehindProxies(3, 1, "--cluster-require-full-coverage", "no");
        private final Fronts fronts = Fronts.of(cluster);
        private final LogAssertions told = new LogAssertions();
        private final RateLimiter limiter = Limiters.closed(fronts.uri(), told, Limiters.PATIENT);

        /** A key that this master, 0 to 2, keeps. */
        PartitionKey keyOf(int master) {
            return ClusterFaultsTest.keyOf(master, limiter, ROOM);
        }

        void cutReplication(int master) {
            fronts.proxies().get(master).blackHole("PSYNC");
        }

        void kill(int master) {
            cluster.kill(cluster.nodes().get(master));
        }

        @Override
        public void close() {
            limiter.close();
            fronts.close();
            cluster.close();
        }
    }

    @Test
    void aMasterThatDiesFailsItsOwnSlotsOnlyAndLosesWhatWasNotReplicated() {
        Tally dying = new Tally();
        Tally others = new Tally();
        try (Failover failover = new Failover()) {
            PartitionKey dyingKey = failover.keyOf(0);
            PartitionKey otherKey = failover.keyOf(1);
            try (Crowd crowd = Crowd.of(
                            THREADS / 2,
                            (thread, number) -> dying.ask(() -> failover.limiter.acquire(ROOM, dyingKey)));
                    Crowd other = Crowd.of(
                            THREADS / 2,
                            (thread, number) -> others.ask(() -> failover.limiter.acquire(ROOM, otherKey)))) {
                Moments.until(
                        "everybody is admitted",
                        () -> dying.admitted() > 100 * THREADS && others.admitted() > 100 * THREADS);
                failover.cutReplication(0);
                long replicated = dying.admitted();
                Moments.millis(CUT_MILLIS);
                failover.kill(0);
                long killed = System.nanoTime();
                Moments.until("those have heard who were at it", () -> dying.failed() > 0);
                dying.awaitStore();
                long admitted = dying.admitted();
                long others0 = others.admitted();
                Moments.until("somebody decides", () -> dying.storeDecidedNanos() != 0);
                double outage = Moments.seconds(dying.storeDecidedNanos() - killed);
                long meanwhile = others.admitted() - others0;
                Moments.until("it goes on", () -> dying.admitted() > admitted + 100 * THREADS);
                crowd.stop();
                other.stop();

                long lost = dying.admitted() - Limiters.used(failover.limiter, ROOM, dyingKey);
                Moments.say(
                        "a master of three killed: outage %.1f s, %,d admitted and not replicated, %,d can be admitted"
                                + " again, %d in flight; other slots %,d admitted meanwhile, %d errors",
                        outage, admitted - replicated, lost, THREADS / 2, meanwhile, others.failed());
                assertThat(others.failures()).isEmpty();
                assertThat(Limiters.used(failover.limiter, ROOM, otherKey)).isEqualTo(others.admitted());
                assertThat(lost)
                        .isBetween(
                                admitted - replicated - THREADS / 2 - failover.told.ambiguous(),
                                admitted - replicated + THREADS / 2);
            }
        }
    }

    /**
     * Jobs with leases on three masters, of which one dies; by turns it is asked first, second
     * and last.
     */
    @Test
    void aMasterThatDiesKeepsNoLeaseOfTheOthersFromBeingRenewed() {
        Policy jobs = Policy.concurrency("jobs", 1);
        Policy exports = Policy.concurrency("exports", 1);
        try (RedisCluster cluster = RedisCluster.start(3, 0, "--cluster-require-full-coverage", "no");
                RateLimiter limiter = Limiters.closed(cluster.uri(), new LogAssertions(), Limiters.PATIENT)) {
            List<PartitionKey> keys = IntStream.range(0, 3)
                    .mapToObj(master -> keyOf(master, limiter, jobs))
                    .toList();
            List<CheckGroup> groups = new ArrayList<>();
            keys.forEach(key -> groups.add(CheckGroup.of(Check.ofLease(jobs, key, "job"))));
            groups.add(CheckGroup.of(
                    Check.ofLease(exports, keys.get(0), "export"), Check.ofLease(exports, keys.get(1), "export")));
            groups.add(CheckGroup.of(
                    Check.ofLease(exports, keys.get(0), "other"), Check.ofLease(jobs, keys.get(2), "job")));
            limiter.acquireEach(groups.subList(0, 4));
            cluster.kill(cluster.nodes().get(0));
            for (int turn = 0; turn < groups.size(); turn++) {
                Collections.rotate(groups, 1);
                long job = expiry(cluster, 1, limiter.storeKey(jobs, keys.get(1)), "job");
                long lastJob = expiry(cluster, 2, limiter.storeKey(jobs, keys.get(2)), "job");
                long export = expiry(cluster, 1, limiter.storeKey(exports, keys.get(1)), "export");
                assertThatExceptionOfType(StoreUnavailableException.class)
                        .isThrownBy(() -> limiter.acquireEach(groups))
                        .satisfies(failure -> {
                            for (int i = 0; i < groups.size(); i++) {
                                boolean reached = groups.get(i).checks().stream()
                                        .noneMatch(check -> check.key().equals(keys.get(0)));
                                assertThat(failure.decision(i).isPresent()).isEqualTo(reached);
                            }
                        });
                assertThat(expiry(cluster, 1, limiter.storeKey(jobs, keys.get(1)), "job"))
                        .isGreaterThan(job);
                assertThat(expiry(cluster, 2, limiter.storeKey(jobs, keys.get(2)), "job"))
                        .isGreaterThan(lastJob);
                assertThat(expiry(cluster, 1, limiter.storeKey(exports, keys.get(1)), "export"))
                        .as("half of its group cannot be reached")
                        .isGreaterThan(export);
            }
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> limiter.acquire(CheckGroup.of(
                            Check.ofLease(jobs, keys.get(1), "job"), Check.ofLease(exports, keys.get(0), "export"))));
            assertThat(limiter.acquire(CheckGroup.of(
                                    Check.ofLease(jobs, keys.get(1), "job"), Check.ofLease(jobs, keys.get(2), "new")))
                            .admitted())
                    .isFalse();
            assertThat(expiry(cluster, 1, limiter.storeKey(jobs, keys.get(1)), "job"))
                    .as("neither a failure nor a rejection elsewhere releases it")
                    .isPositive();
        }
    }

    /** A key that this master, 0 to 2, keeps. */
    private static PartitionKey keyOf(int master, RateLimiter limiter, Policy policy) {
        return IntStream.range(0, 1_000)
                .mapToObj(i -> Limiters.key("user " + i))
                .filter(key ->
                        JedisClusterCRC16.getSlot(limiter.storeKey(policy, key)) * 3 / RedisCluster.SLOTS == master)
                .findFirst()
                .orElseThrow();
    }

    /** When a lease expires, µs since 1970. */
    private static long expiry(RedisCluster cluster, int master, String key, String lease) {
        return Long.parseLong((String) cluster.nodes().get(master).command("ZSCORE", key, lease));
    }

    /** The tighter limit lies where all is well, the other one where the master dies. */
    @Test
    void groupsOfSeveralSlotsGiveBackWhatTheyTookWhenOneDies() {
        Tally tally = new Tally();
        try (Failover failover = new Failover()) {
            PartitionKey dyingKey = failover.keyOf(0);
            PartitionKey otherKey = failover.keyOf(1);
            CheckGroup both = CheckGroup.of(Check.of(TIGHT, otherKey), Check.of(ROOM, dyingKey));
            try (Crowd crowd = Crowd.of(THREADS, (thread, number) -> tally.ask(() -> failover.limiter.acquire(both)))) {
                Moments.until("some of it is spent", () -> tally.admitted() > LIMIT / 10);
                failover.cutReplication(0);
                Moments.millis(CUT_MILLIS);
                failover.kill(0);
                Moments.until("everything is spent", () -> tally.rejected() > THREADS);
                crowd.stop();
            }
            long used = Limiters.used(failover.limiter, TIGHT, otherKey);
            Moments.say(
                    "groups of two slots, of which one dies: %,d of %,d admitted, %,d counted, %,d errors",
                    tally.admitted(), LIMIT, used, tally.failed());
            assertThat(tally.failed()).isPositive();
            assertThat(tally.admitted()).isEqualTo(LIMIT);
            assertThat(used).isEqualTo(LIMIT);
        }
    }
}
