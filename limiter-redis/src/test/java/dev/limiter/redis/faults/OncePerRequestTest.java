package dev.limiter.redis.faults;

import static dev.limiter.redis.faults.Limiters.ROOMY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.testkit.FaultProxy;
import dev.limiter.testkit.RedisCluster;
import dev.limiter.testkit.RedisSentinels;
import dev.limiter.testkit.RedisServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever the network does, a request is counted once or not at all. Each request has a
 * partition of its own. So Redis shows afterwards what was executed, and the proxies what was
 * sent.
 */
class OncePerRequestTest {
    private static final Policy ONCE = Limiters.counter("once", ROOMY);
    private static final Pattern REDIS_KEY = Pattern.compile("rl:faults:[\\w-]+:\\{[\\w-]+}");
    private static final int THREADS = 64;
    private static final int TROUBLES = 2;
    private static final long TROUBLED_MILLIS = 200; // above the deadline, so that latency is felt, too

    enum Trouble {
        BLACK_HOLE(FaultProxy::blackHole),
        LATENCY(proxy -> proxy.latency(Duration.ofMillis(100), Duration.ofMillis(100))),
        CONNECTIONS_RESET(FaultProxy::resetExisting),
        NEW_CONNECTIONS_RESET(proxy -> {
            proxy.resetNew();
            proxy.resetExisting();
        }),
        CONNECTIONS_REFUSED(proxy -> {
            proxy.refuse();
            proxy.resetExisting();
        }),
        REPLIES_DROPPED(FaultProxy::dropReplies),
        REPLIES_SILENCED(FaultProxy::silenceReplies);

        private final Consumer<FaultProxy> begin;

        Trouble(Consumer<FaultProxy> begin) {
            this.begin = begin;
        }

        /** Causes the trouble again each time that all servers answer. */
        void befall(Scene scene) {
            for (int i = 0; i < TROUBLES; i++) {
                scene.proxies().forEach(begin);
                Moments.millis(TROUBLED_MILLIS);
                scene.proxies().forEach(FaultProxy::pass);
                scene.awaitRecovery();
            }
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    @Test
    void aReplyDroppedAfterTheCommitIsNotAskedForAgain() {
        try (RedisServer redis = RedisServer.start();
                Fronts fronts = Fronts.of(redis)) {
            judge("reply dropped, one server", List.of(redis), fronts, redis.uri(), scene -> {
                scene.proxies().get(0).dropReplies("EVALSHA");
                Moments.millis(TROUBLED_MILLIS);
            });
        }
    }

    /** It is told again, for its name. Beside units, which have none, it is told once. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aLeaseIsGivenBackThoughACallIsLost(int checks) throws Exception {
        Policy single = Policy.of("single", Algorithm.CONCURRENCY, 1, Duration.ofHours(1));
        PartitionKey id = Limiters.key("lease");
        List<Check> both = List.of(Check.of(single, id), Check.of(ONCE, id));
        try (RedisServer redis = RedisServer.start();
                FaultProxy proxy = FaultProxy.to(redis);
                RateLimiter limiter = Limiters.closed(proxy.uri(), new LogAssertions(), Limiters.PATIENT)) {
            Decision.Admitted held = (Decision.Admitted) limiter.acquire(new CheckGroup(both.subList(0, checks)));
            int sent = proxy.timesSent(limiter.storeKey(single, id));
            redis.pause();
            CompletableFuture<Boolean> given = CompletableFuture.supplyAsync(() -> limiter.refund(held));
            Moments.until("the call is lost", () -> proxy.timesSent(limiter.storeKey(single, id)) > sent);
            proxy.resetExisting();
            redis.resume();
            Moments.until("it is over", given::isDone);
            assertThat(proxy.timesSent(limiter.storeKey(single, id)) > sent + 1).isEqualTo(checks == 1);
            assertThat(checks == 2 || limiter.acquire(single, id).admitted()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("faults")
    void oneServer(Trouble trouble) {
        try (RedisServer redis = RedisServer.start();
                Fronts fronts = Fronts.of(redis)) {
            judge(trouble + ", one server", List.of(redis), fronts, redis.uri(), trouble::befall);
        }
    }

    @Test
    @Tag("faults")
    void cluster() {
        try (RedisCluster cluster = RedisCluster.startBehindProxies(3, 0);
                Fronts fronts = Fronts.of(cluster)) {
            for (Trouble trouble : Trouble.values()) {
                judge(trouble + ", cluster", cluster.nodes(), fronts, fronts.uri(), trouble::befall);
            }
        }
    }

    /**
     * The sentinels know the master by the proxy's address, too: only connections that have
     * asked for a decision are in trouble.
     */
    @Test
    @Tag("faults")
    void sentinels() {
        try (RedisSentinels sentinels = RedisSentinels.start(1)) {
            sentinels.keepMaster();
            RedisServer master = sentinels.master();
            Fronts fronts = new Fronts(List.of(sentinels.frontOfFirstMaster()), sentinels.uri());
            judge("three troubles, sentinels", List.of(master), fronts, master.uri(), scene -> {
                List<Consumer<FaultProxy>> troubles = List.of(
                        proxy -> proxy.blackHole("EVALSHA"),
                        proxy -> proxy.dropReplies("EVALSHA"),
                        proxy -> proxy.silenceReplies("EVALSHA"));
                for (Consumer<FaultProxy> begin : troubles) {
                    scene.proxies().forEach(begin);
                    Moments.millis(TROUBLED_MILLIS);
                    fronts.pass();
                    scene.awaitRecovery();
                }
            });
        }
    }

    /** A request, and whether it got an answer. */
    private record Attempt(PartitionKey id, boolean answered) {}

    /** The proxies, the signals and the callers of a test. */
    private record Scene(List<FaultProxy> proxies, LogAssertions told, Tally tally, AtomicLong longestRecoveryNanos) {
        void awaitRecovery() {
            long begun = System.nanoTime();
            long before = tally.admitted();
            Moments.until("all is well", () -> told.open().isEmpty() && tally.admitted() > before + 10 * THREADS);
            longestRecoveryNanos.accumulateAndGet(System.nanoTime() - begun, Math::max);
        }
    }

    /**
     * @param direct where the servers are found when the trouble is over
     */
    private static void judge(
            String what, List<RedisServer> servers, Fronts fronts, String direct, Consumer<Scene> trouble) {
        Queue<Attempt> attempts = new ConcurrentLinkedQueue<>();
        Scene scene = new Scene(fronts.proxies(), new LogAssertions(), new Tally(), new AtomicLong());
        try (RateLimiter first = Limiters.closed(direct, new LogAssertions(), Limiters.PATIENT)) {
            for (int i = 0; i < 50; i++) { // each server that keeps some of these knows the script from here on
                first.acquire(ONCE, Limiters.key("first/" + i));
            }
        }
        int ofOthers = open(fronts); // sentinels and replicas
        try (RateLimiter limiter = Limiters.closed(fronts.uri(), scene.told(), "limiter.redis.max-round-trips", "64");
                Crowd crowd = Crowd.of(THREADS, (thread, number) -> {
                    PartitionKey id = Limiters.key(what + "/" + thread + "/" + number);
                    Decision decision = scene.tally().ask(() -> limiter.acquire(ONCE, id));
                    attempts.add(new Attempt(id, decision != null));
                    if (decision == null) { // otherwise they take the processors from the probe
                        Moments.millis(1);
                    }
                    return decision;
                })) {
            scene.awaitRecovery();
            scene.longestRecoveryNanos().set(0);
            trouble.accept(scene);
            Moments.until("the trouble was felt", () -> scene.tally().failed() > 0);
            crowd.stop();
        }
        fronts.pass();
        Moments.until("nothing is on its way any more", () -> open(fronts) <= ofOthers);
        report(what, attempts, scene, sent(fronts), executed(servers), direct);
    }

    private static int open(Fronts fronts) {
        return fronts.proxies().stream().mapToInt(FaultProxy::openNow).sum();
    }

    private static void report(
            String what,
            Queue<Attempt> attempts,
            Scene scene,
            Map<String, Integer> sent,
            Set<String> executed,
            String direct) {
        int unanswered = 0;
        int twice = 0;
        try (RateLimiter limiter = Limiters.closed(direct, new LogAssertions(), Limiters.PATIENT)) {
            for (Attempt attempt : attempts) {
                String key = limiter.storeKey(ONCE, attempt.id());
                assertThat(sent.getOrDefault(key, 0)).as("times sent").isLessThanOrEqualTo(1);
                long used = executed.contains(key) ? Limiters.used(limiter, ONCE, attempt.id()) : 0;
                twice += used > 1 ? 1 : 0;
                unanswered += used > 0 && !attempt.answered() ? 1 : 0;
                assertThat(used == 0 && attempt.answered())
                        .as("answered and not counted")
                        .isFalse();
            }
        }
        long recoveryNanos = scene.longestRecoveryNanos().get();
        Moments.say(
                "%s: %,d requests, %,d admitted, %,d executed twice, %,d executed and unanswered, %,d told as ambiguous%s",
                what,
                attempts.size(),
                scene.tally().admitted(),
                twice,
                unanswered,
                scene.told().ambiguous(),
                recoveryNanos == 0
                        ? ""
                        : String.format(Locale.ROOT, ", back after at most %.2f s", Moments.seconds(recoveryNanos)));
        assertThat(scene.tally().rejected()).isZero();
        assertThat(twice).isZero();
        assertThat(scene.told().ambiguous()).isGreaterThanOrEqualTo(unanswered);
        assertThat(scene.told().scriptsMissing()).isZero();
    }

    private static Map<String, Integer> sent(Fronts fronts) {
        Map<String, Integer> all = new HashMap<>();
        fronts.proxies()
                .forEach(proxy ->
                        proxy.timesSent(REDIS_KEY).forEach((key, times) -> all.merge(key, times, Integer::sum)));
        return all;
    }

    private static Set<String> executed(List<RedisServer> servers) {
        Set<String> keys = new HashSet<>();
        servers.forEach(server -> ((List<?>) server.command("KEYS", "*")).forEach(key -> keys.add((String) key)));
        return keys;
    }
}
