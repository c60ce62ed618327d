package dev.limiter.redis.internal.limiter;

import static dev.limiter.calendar.Usage.Period.PRESENT;
import static dev.limiter.calendar.Usage.Period.PREVIOUS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.calendar.Usage;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.redis.internal.script.VirtualTime;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.testkit.RedisCluster;
import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.TestSize;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.params.SetParams;
import redis.clients.jedis.util.JedisClusterCRC16;

/** The counts of the period that ended and of the present one are exactly what was sent. */
@Tag("proof")
@Tag("store")
class KeptPeriodsTest {
    /** On each side of the end; a second has six requests. */
    private static final int SECONDS = TestSize.of(834);

    private static final long SECOND = 1_000_000;
    private static final long DAY = 86_400 * SECOND;
    private static final PartitionKey ACME = PartitionKey.of("tenant", "acme");
    private static final Policy PLAN =
            Policy.of("plan", 100, CalendarPeriod.parse("1 month")).asSoft().keepingPrevious();
    private static final Policy FORGETS =
            Policy.of("plan", 100, CalendarPeriod.parse("1 month")).asSoft();
    private static final long MARCH = micros(LocalDate.of(2024, 3, 1), ZoneId.of("UTC"));
    private static final long APRIL = micros(LocalDate.of(2024, 4, 1), ZoneId.of("UTC"));

    private static RedisServer redis;
    private static RedisClient jedis;
    private static RedisCluster cluster;
    private static RedisClusterClient clients;
    private static final ExecutorService THREADS = Executors.newFixedThreadPool(3);

    private enum Store {
        REDIS,
        CLUSTER,
        MEMORY
    }

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
        jedis = RedisClient.create(redis.uri());
        cluster = RedisCluster.start(3, 0);
        clients = RedisClusterClient.builder()
                .nodes(cluster.nodes().stream()
                        .map(node -> new HostAndPort("127.0.0.1", node.port()))
                        .collect(Collectors.toSet()))
                .build();
    }

    @AfterAll
    static void stop() {
        THREADS.shutdownNow();
        clients.close();
        cluster.close();
        jedis.close();
        redis.close();
    }

    private static long micros(LocalDate date, ZoneId zone) {
        return date.atStartOfDay(zone).toEpochSecond() * SECOND;
    }

    private static Instant instant(long micros) {
        return Instant.ofEpochSecond(micros / SECOND, micros % SECOND * 1_000);
    }

    /** Three instances; of those beside a Redis, two have clocks a minute apart from it. */
    private static List<RateLimiter> instances(Store store, VirtualTime time, String application) {
        if (store == Store.MEMORY) {
            return Collections.nCopies(3, new LocalRateLimiter(time));
        }
        List<RateLimiter> instances = new ArrayList<>();
        for (int ahead : new int[] {0, 60, -60}) {
            RateLimiter limiter = time.shipped(application, () -> time.instant().plusSeconds(ahead));
            instances.add(
                    store == Store.REDIS
                            ? limiter
                            : new ClusterRateLimiter(
                                    (RedisRateLimiter) limiter,
                                    check -> JedisClusterCRC16.getSlot(limiter.storeKey(check.policy(), check.key())),
                                    Timeouts.within(Duration.ofMinutes(1)),
                                    System::nanoTime));
        }
        return instances;
    }

    private static VirtualTime time(Store store) {
        UnifiedJedis client = store == Store.CLUSTER ? clients : jedis;
        return new VirtualTime(client);
    }

    /**
     * At each instant three instances send a request at the same time. Some of those before the end
     * are given back after it.
     */
    @ParameterizedTest
    @CsvSource({
        "1 month, 2024-03-01, 2024-04-01",
        "1 month Europe/Paris, 2024-04-01, 2024-05-01", // an hour shorter
        "1 month Europe/Paris from 31, 2024-10-31, 2024-11-30", // an hour longer
        "1 day Europe/Paris, 2024-04-01, 2024-04-02", // the last one has 23 hours
        "1 day Europe/Paris, 2024-10-28, 2024-10-29", // the last one has 25 hours
        "1 day America/Sao_Paulo, 2018-11-04, 2018-11-05", // begins at one o'clock
        "1 year UTC from 02-29, 2024-02-29, 2025-02-28",
    })
    void bothCountsTogetherAreWhatWasSent(String notation, LocalDate ends, LocalDate next) throws Exception {
        CalendarPeriod period = CalendarPeriod.parse(notation);
        ZoneId zone = notation.split(" ").length > 2 ? ZoneId.of(notation.split(" ")[2]) : ZoneId.of("UTC");
        Policy plan = Policy.of("plan", 100, period).asSoft().keepingPrevious();
        for (Store store : Store.values()) {
            jedis.flushAll();
            VirtualTime time = time(store);
            List<RateLimiter> instances = instances(store, time, notation + ends);
            long end = micros(ends, zone);
            Traffic traffic = new Traffic(time, instances, plan, end);
            for (int second = -SECONDS; second < 0; second++) {
                traffic.at(end + second * SECOND);
                traffic.at(end + (second + 1) * SECOND - 1);
            }
            time.move(end);
            assertThat(traffic.usages(PRESENT)).containsOnly(new Usage(0, instant(micros(next, zone))));
            assertThat(traffic.usages(PREVIOUS)).containsOnly(new Usage(traffic.before, instant(end)));
            traffic.giveBack(SECONDS / 4);
            assertThat(traffic.usages(PREVIOUS)).containsOnly(new Usage(traffic.before, instant(end)));
            for (int second = 0; second < SECONDS; second++) {
                traffic.at(end + second * SECOND);
                traffic.at(end + (second + 1) * SECOND - 1);
            }
            traffic.giveBack(SECONDS / 4);
            assertThat(jedis.keys("rl:*")).hasSize(store == Store.REDIS ? 1 : 0);
            time.move(micros(next, zone) - 1);
            assertThat(traffic.usages(PREVIOUS)).containsOnly(new Usage(traffic.before, instant(end)));
            assertThat(traffic.usages(PRESENT)).containsOnly(new Usage(traffic.after, instant(micros(next, zone))));
            System.out.printf(
                    "%n%s to %s, %s: %,d requests of 3 instances, %,d units before the end and %,d after it, as told%n",
                    notation, ends, store, 12 * SECONDS, traffic.before, traffic.after);
        }
    }

    /** Requests of all instances, and their units by definition. */
    private static final class Traffic {
        private final VirtualTime time;
        private final List<RateLimiter> instances;
        private final Policy plan;
        private final long end;
        private final Dice dice = new Dice(20_240_301);
        private final List<Decision.Admitted> admissions = new ArrayList<>();
        private long before;
        private long after;

        Traffic(VirtualTime time, List<RateLimiter> instances, Policy plan, long end) {
            this.time = time;
            this.instances = instances;
            this.plan = plan;
            this.end = end;
        }

        void at(long micros) throws Exception {
            time.move(micros);
            List<Callable<Decision>> asking = new ArrayList<>();
            for (RateLimiter each : instances) {
                CheckGroup group = CheckGroup.of(new Check(plan, ACME, dice.between(1, 5)));
                asking.add(() -> each.acquire(group));
            }
            for (Future<Decision> answer : THREADS.invokeAll(asking)) {
                Decision.Admitted admission = (Decision.Admitted) answer.get();
                admissions.add(admission);
                count(admission, 1);
            }
        }

        /** Gives back admissions that came before the end, each to another instance. */
        void giveBack(int number) {
            for (int i = 0; i < number; i++) {
                Decision.Admitted admission = admissions.remove(i);
                assertThat(instances.get(i % 3).refund(admission)).isTrue();
                count(admission, -1);
            }
        }

        private void count(Decision.Admitted admission, int times) {
            long units = times * admission.receipt().checks().get(0).cost();
            before += admission.atMicros() < end ? units : 0;
            after += admission.atMicros() < end ? 0 : units;
        }

        List<Usage> usages(Usage.Period which) {
            return instances.stream().map(each -> each.usage(plan, ACME, which)).toList();
        }
    }

    /** A month without a request lies between, and an older count is none of the month before. */
    @Test
    void theMonthBeforeWithoutARequestHasNone() {
        for (Store store : Store.values()) {
            VirtualTime time = time(store);
            RateLimiter limiter = instances(store, time, "without").get(0);
            time.move(MARCH - DAY);
            limiter.charge(PLAN, ACME, 7);
            time.move(APRIL);
            assertThat(limiter.usage(PLAN, ACME, PREVIOUS)).isEqualTo(new Usage(0, instant(APRIL)));
            limiter.charge(PLAN, ACME, 1);
            assertThat(limiter.usage(PLAN, ACME, PREVIOUS)).isEqualTo(new Usage(0, instant(APRIL)));
            assertThat(limiter.usage(PLAN, PartitionKey.of("tenant", "new"), PREVIOUS))
                    .isEqualTo(new Usage(0, instant(APRIL)));
        }
    }

    /** Each call is one of a policy that keeps or of one that does not, as in a rollout. */
    @Test
    void keepCanBeSwitchedOnAndOffWhileRequestsRun() {
        for (Store store : Store.values()) {
            VirtualTime time = time(store);
            List<RateLimiter> instances = instances(store, time, "switched");
            Dice dice = new Dice(5);
            long used = 0;
            for (int i = 0; i < 300; i++) {
                long month = i / 100;
                time.move(MARCH - 29 * DAY + month * 31 * DAY + i % 100 * SECOND);
                used = i % 100 == 0 ? 0 : used;
                Policy policy = dice.chance(50) ? PLAN : FORGETS;
                RateLimiter instance = dice.oneOf(instances);
                Decision decision = instance.acquire(CheckGroup.of(new Check(policy, ACME, 3)));
                used += 3;
                if (dice.chance(10)) {
                    instance.refund((Decision.Admitted) decision);
                    used -= 3;
                }
                for (Policy each : List.of(PLAN, FORGETS)) {
                    assertThat(instance.usage(each, ACME, PRESENT).used()).isEqualTo(used);
                    assertThat(instance.peek(each, ACME).used()).isEqualTo(used);
                }
                assertThat(instance.usage(PLAN, ACME, PREVIOUS).used()).isBetween(0L, 300L);
            }
            assertThat(instances.get(0).storeKey(PLAN, ACME))
                    .isEqualTo(instances.get(0).storeKey(FORGETS, ACME));
        }
    }

    /** An earlier build reads the first 12 bytes and leaves no others. */
    @Test
    void whatAnEarlierBuildWritesIsReadAndGoesOn() {
        VirtualTime time = time(Store.REDIS);
        RateLimiter limiter = time.shipped("earlier");
        byte[] key = limiter.storeKey(PLAN, ACME).getBytes(StandardCharsets.US_ASCII);
        time.move(MARCH - DAY);
        limiter.charge(PLAN, ACME, 7);
        assertThat(jedis.get(key)).hasSize(24);
        time.move(MARCH);
        limiter.charge(PLAN, ACME, 2);
        assertThat(ByteBuffer.wrap(jedis.get(key)).getInt(8)).isEqualTo(2);
        assertThat(limiter.usage(PLAN, ACME, PREVIOUS)).isEqualTo(new Usage(7, instant(MARCH)));
        byte[] earlier = ByteBuffer.allocate(12).putDouble(APRIL).putInt(5).array();
        jedis.set(key, earlier, new SetParams().keepTtl());
        assertThat(limiter.usage(PLAN, ACME, PRESENT)).isEqualTo(new Usage(5, instant(APRIL)));
        assertThat(limiter.usage(PLAN, ACME, PREVIOUS)).isEqualTo(new Usage(0, instant(MARCH)));
        jedis.pexpire(key, 1_000);
        limiter.charge(PLAN, ACME, 1);
        assertThat(jedis.pttl(key)).isGreaterThan(Duration.ofDays(60).toMillis());
        time.move(APRIL);
        assertThat(limiter.usage(PLAN, ACME, PREVIOUS)).isEqualTo(new Usage(6, instant(APRIL)));
    }

    /** Nothing more is sent and stored for a policy that does not keep. */
    @Test
    void aPolicyThatDoesNotKeepLeavesTwelveBytes() {
        VirtualTime time = time(Store.REDIS);
        RateLimiter limiter = time.shipped("twelve");
        time.move(MARCH);
        limiter.acquire(FORGETS, ACME);
        byte[] key = limiter.storeKey(FORGETS, ACME).getBytes(StandardCharsets.US_ASCII);
        assertThat(jedis.get(key)).hasSize(12);
        assertThat(FORGETS.rules().arguments(Check.of(FORGETS, ACME)))
                .hasSameSizeAs(PLAN.rules().arguments(Check.of(PLAN, ACME)));
    }
}
