package dev.limiter.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Policy;
import dev.limiter.model.Model;
import dev.limiter.redis.load.Intervals;
import dev.limiter.testkit.RedisServer;
import dev.limiter.upgrade.Instances.Build;
import dev.limiter.upgrade.Instances.Running;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.RedisClient;

/**
 * Two instances under load share each limit. They are exchanged one by one, from the earlier build
 * to the present one and back. By the server's own clock no interval holds more than promised, and
 * nothing is lost.
 */
class RollingUpgradeTest {
    private static final long PHASE_NANOS = (long) (Double.parseDouble(System.getProperty("upgrade.seconds")) * 1e9);

    /** The build of the instance that comes; the longest-running instance then goes. */
    private static final List<Build> EXCHANGES = List.of(Build.PRESENT, Build.PRESENT, Build.EARLIER, Build.EARLIER);

    @TempDir
    private Path logs;

    private final List<Event> events = new ArrayList<>();
    private int written;

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES) // only so that a process that hangs does not hang the build
    void twoBuildsAdmitNoMoreThanPromisedWhileInstancesAreExchanged() throws Exception {
        try (RedisServer redis = RedisServer.start();
                RedisClient jedis = RedisClient.create(redis.uri());
                Instances instances = new Instances(redis.uri())) {
            List<Running> running = new ArrayList<>();
            running.add(loaded(instances.start(Build.EARLIER)));
            running.add(loaded(instances.start(Build.EARLIER)));
            for (Build build : EXCHANGES) {
                goOn(running.get(0));
                jedis.scriptFlush(); // as a Redis that was started anew: both have to send their texts
                running.add(loaded(instances.start(build)));
                end(running.remove(0), "gone");
            }
            goOn(running.get(0));
            end(running.get(0), "gone");
            collect(running.get(1), "drained");
            judgeUsed(running.get(1));
            running.get(1).end();
        }
        events.sort(Comparator.comparingLong(Event::atMicros));
        for (int policy = 0; policy < SharedLimits.LOADED.size(); policy++) {
            judge(policy);
        }
        judgeLeases();
        judgeQueues();
    }

    @Test
    void everyAlgorithmIsShared() {
        assertThat(Stream.concat(
                                SharedLimits.LOADED.stream(),
                                Stream.of(
                                        SharedLimits.LEASES,
                                        SharedLimits.PARTNER.gate())) // HandoverTest pauses the partner
                        .map(Policy::algorithm))
                .contains(Algorithm.values());
    }

    private static Running loaded(Running instance) throws IOException {
        instance.call("load");
        return instance;
    }

    /** The load goes on for a while. */
    private static void goOn(Running instance) throws IOException {
        instance.call("park " + PHASE_NANOS);
    }

    private void end(Running instance, String how) throws IOException, InterruptedException {
        collect(instance, how);
        instance.end();
    }

    /** Ends the load of an instance, which has asked each limit. */
    private void collect(Running instance, String how) throws IOException {
        Path log = logs.resolve("log" + written++);
        long expected = Long.parseLong(instance.call("end " + how + ' ' + log));
        int before = events.size();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(log)))) {
            for (long i = 0; i < expected; i++) {
                events.add(Event.read(in));
            }
            assertThat(in.read()).isEqualTo(-1);
        }
        assertThat(events.subList(before, events.size()).stream().map(Event::policy))
                .as("what was asked by the instance that ended as number %d", written)
                .contains(IntStream.range(Event.DONE, SharedLimits.LOADED.size())
                        .boxed()
                        .toArray(Integer[]::new));
    }

    /** Of limits that last longer than the test, what is used is what both builds admitted. */
    private void judgeUsed(Running instance) throws IOException {
        for (int policy = 0; policy < SharedLimits.LOADED.size(); policy++) {
            if (SharedLimits.LOADED.get(policy).period() != null) {
                for (int key = 0; key < SharedLimits.KEYS; key++) {
                    assertThat(Long.parseLong(instance.call("used " + policy + ' ' + key)))
                            .as("used of %s", SharedLimits.LOADED.get(policy))
                            .isEqualTo(admissions(policy, key));
                }
            }
        }
    }

    private long admissions(int policy, int key) {
        return events.stream()
                .filter(event -> event.policy() == policy && event.key() == key && event.admitted())
                .count();
    }

    private void judge(int number) {
        Policy policy = SharedLimits.LOADED.get(number);
        List<Event> asked =
                events.stream().filter(event -> event.policy() == number).toList();
        Model model = new Model();
        long allowed = asked.stream()
                .filter(event ->
                        model.admits(CheckGroup.of(Check.of(policy, SharedLimits.key(event.key()))), event.atMicros()))
                .count();
        long admitted = asked.stream().filter(Event::admitted).count();
        long violations = policy.rejects()
                ? IntStream.range(0, SharedLimits.KEYS)
                        .mapToLong(key -> Intervals.violations(policy, runs(asked, key)))
                        .sum()
                : 0;
        System.out.printf(
                "%s: %,d asked of both builds, %,d admitted, %d violating intervals, %.2f %% of what the model allows%n",
                policy.name(), asked.size(), admitted, violations, 100.0 * admitted / allowed);
        assertThat(violations).as("violating intervals of %s", policy).isZero();
        assertThat(admitted).as("admissions of %s", policy).isBetween(allowed * 99 / 100, allowed);
    }

    private static long[] runs(List<Event> asked, int key) {
        return asked.stream()
                .filter(event -> event.key() == key && event.admitted())
                .mapToLong(Event::untilMicros)
                .sorted()
                .toArray();
    }

    /** Never more leases than the limit at one instant, and they are given back and expire. */
    private void judgeLeases() {
        List<Event> leases =
                events.stream().filter(event -> event.policy() == Event.LEASE).toList();
        List<Event> held = new ArrayList<>();
        int most = 0;
        for (Event lease : leases) {
            held.removeIf(each -> each.untilMicros() <= lease.atMicros());
            held.add(lease);
            most = Math.max(most, held.size());
        }
        System.out.printf("leases: %,d given by both builds, at most %d at one instant%n", leases.size(), most);
        assertThat(most).isEqualTo(SharedLimits.LEASES.limit());
    }

    /** What one build accepted, one of both has done, once. */
    private void judgeQueues() {
        for (int form = 0; form < 2; form++) {
            List<Long> offered = entries(Event.OFFERED, form);
            List<Long> done = entries(Event.DONE, form);
            System.out.printf("queue %d: %,d entries offered, %,d done%n", form, offered.size(), done.size());
            assertThat(done).isNotEmpty().containsExactlyElementsOf(offered);
        }
    }

    private List<Long> entries(int kind, int form) {
        return events.stream()
                .filter(event -> event.policy() == kind && event.key() == form)
                .map(Event::atMicros)
                .sorted()
                .toList();
    }
}
