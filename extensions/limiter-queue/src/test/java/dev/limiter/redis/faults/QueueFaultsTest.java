package dev.limiter.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.queue.BoundedQueue;
import dev.limiter.queue.BoundedQueues;
import dev.limiter.queue.Delivery;
import dev.limiter.queue.EntryState;
import dev.limiter.queue.OfferResult;
import dev.limiter.queue.QueueFullException;
import dev.limiter.queue.QueuePolicy;
import dev.limiter.queue.QueueStorage;
import dev.limiter.testkit.RedisCluster;
import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.guide.Guide;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Queues of an application while Redis fails, loses scripts or refuses commands. */
class QueueFaultsTest {
    private static final QueuePolicy TWO = QueuePolicy.of("orders", 2).withHold(Duration.ofMillis(1));

    @ParameterizedTest
    @EnumSource
    void limitersOfOneNameShareAQueue(QueueStorage form) {
        try (RedisServer redis = RedisServer.start();
                RateLimiter one = Limiters.local(redis.uri(), new LogAssertions(), Limiters.PATIENT);
                RateLimiter two = Limiters.local(redis.uri(), new LogAssertions(), Limiters.PATIENT)) {
            BoundedQueue producer = BoundedQueues.of(one).queue(TWO.in(form));
            BoundedQueue consumer = BoundedQueues.of(two).queue(TWO.in(form));
            assertThat(producer.storeKey()).matches("rl:faults:[\\w-]{11}:\\{[\\w-]{22}}");
            String id = producer.accept("fish").id();
            assertThat(producer.accept("meat").length()).isEqualTo(2);
            assertThatExceptionOfType(QueueFullException.class)
                    .isThrownBy(() -> producer.accept("hay"))
                    .withMessageStartingWith("queue full: orders holds 2; retry in PT")
                    .matches(full ->
                            full.queue().equals("orders") && full.refusal().length() == 2);
            Delivery first = consumer.take("keeper").orElseThrow();
            assertThat(first).isEqualTo(new Delivery(id, "fish", 1));
            assertThat(producer.offer("hay")).as("taking makes no room").isInstanceOf(OfferResult.Full.class);
            assertThat(consumer.acknowledge(first)).isTrue();
            assertThat(consumer.acknowledge(first)).isFalse();
            assertThat(producer.state(id)).isEqualTo(EntryState.DONE);
            assertThat(producer.offer("hay")).isInstanceOf(OfferResult.Accepted.class);
        }
    }

    /** Each program is sent with its text when Redis has lost it. */
    @ParameterizedTest
    @EnumSource
    void scriptsThatRedisHasLostAreSentAgain(QueueStorage form) {
        try (RedisServer redis = RedisServer.start();
                RateLimiter limiter = Limiters.local(redis.uri(), new LogAssertions(), Limiters.PATIENT)) {
            BoundedQueue queue = BoundedQueues.of(limiter).queue(TWO.in(form));
            String id = queue.accept("fish").id();
            redis.command("SCRIPT", "FLUSH");
            assertThat(queue.state(id)).isEqualTo(EntryState.WAITING);
            assertThat(queue.take("keeper")).isPresent();
        }
    }

    @Test
    @Tag("faults")
    void entriesAreAcceptedAndTakenAfterRedisHasClosedIdleConnections() {
        try (RedisServer redis = RedisServer.start();
                RateLimiter limiter = Limiters.local(redis.uri(), new LogAssertions(), Limiters.PATIENT)) {
            BoundedQueue queue = BoundedQueues.of(limiter).queue(TWO);
            IdleConnections.endAt(redis);
            String id = queue.accept("fish").id();
            IdleConnections.awaitTheirEnd(List.of(redis));
            assertThat(queue.accept("x".repeat(1 << 15)).length()).isEqualTo(2);
            IdleConnections.awaitTheirEnd(List.of(redis));
            assertThat(queue.take("keeper")).contains(new Delivery(id, "fish", 1));
        }
    }

    /** There is no fallback: a queue of one process would be another queue. */
    @Test
    void withoutRedisThereIsNoQueueWhateverIsSaidOfLimits() {
        try (RedisServer redis = RedisServer.start();
                RateLimiter limiter = Limiters.local(redis.uri(), new LogAssertions(), Limiters.PATIENT)) {
            BoundedQueue queue = BoundedQueues.of(limiter).queue(TWO);
            queue.accept("fish");
            redis.kill();
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> queue.offer("meat"))
                    .withMessageStartingWith("Redis at 127.0.0.1:" + redis.port() + " gave no answer: ");
        }
    }

    /** A consumer has crashed, and memory is full: consumers make room by taking. */
    @ParameterizedTest
    @EnumSource
    void aFullRedisGivesWhatWaitsAndWhatACrashedConsumerHeld(QueueStorage form) {
        try (RedisServer redis = RedisServer.start("--maxmemory-policy", "noeviction");
                RateLimiter limiter = Limiters.local(redis.uri(), new LogAssertions(), Limiters.PATIENT)) {
            BoundedQueue queue = BoundedQueues.of(limiter)
                    .queue(QueuePolicy.of("orders", 3).in(form).withHold(Duration.ofMillis(1)));
            List.of("fish", "meat", "hay").forEach(queue::accept);
            Delivery lost = queue.take("crashed").orElseThrow();
            redis.command("CONFIG", "SET", "maxmemory", "1");
            List<String> payloads = new ArrayList<>();
            await().until(() -> {
                Delivery next = queue.take("keeper").orElseThrow();
                payloads.add(next.payload());
                assertThat(queue.acknowledge(next)).isTrue();
                return payloads.contains(lost.payload());
            });
            while (payloads.size() < 3) {
                Delivery next = queue.take("keeper").orElseThrow();
                payloads.add(next.payload());
                queue.acknowledge(next);
            }
            assertThat(payloads).containsExactlyInAnyOrder("fish", "meat", "hay");
        }
    }

    @ParameterizedTest
    @CsvSource({"no, 1", "yes, 0"})
    void aRedisThatLosesAcceptedEntriesIsWarnedOf(String appendonly, int lines) {
        try (RedisServer redis = RedisServer.start("--appendonly", appendonly);
                LogLines log = new LogLines();
                RateLimiter limiter = Limiters.local(redis.uri(), new LogAssertions(), Limiters.PATIENT)) {
            assertThat(limiter).isNotNull();
            assertThat(log.lines())
                    .hasSize(lines)
                    .allSatisfy(line -> assertThat(line).startsWith("LIM15: Redis at 127.0.0.1:" + redis.port()));
        }
    }

    @Test
    void inAClusterAllOfAQueueLiesTogether() {
        try (RedisCluster cluster = RedisCluster.start(3, 0);
                RateLimiter limiter = Limiters.local(cluster.uri(), new LogAssertions(), Limiters.PATIENT)) {
            for (QueueStorage form : QueueStorage.values()) {
                for (int i = 0; i < 10; i++) {
                    BoundedQueue queue = BoundedQueues.of(limiter)
                            .queue(QueuePolicy.of("queue " + i, 2).in(form));
                    queue.accept("fish");
                    assertThat(queue.acknowledge(queue.take("keeper").orElseThrow()))
                            .isTrue();
                    assertThat(queue.stats().length()).isZero();
                }
            }
        }
    }

    /** Uses the permissions of the scripts' README, those of queues included. */
    @ParameterizedTest
    @EnumSource
    void aUserWithTheDocumentedPermissionsMayUseQueuesAndOneWithoutIsToldWhy(QueueStorage form) throws IOException {
        try (RedisServer redis = RedisServer.start();
                LogLines log = new LogLines()) {
            List<String> command =
                    new ArrayList<>(List.of("ACL", "SETUSER", "limiter", "on", ">pw", "resetkeys", "~rl:*"));
            command.addAll(List.of("resetchannels", "-@all", "+eval", "+evalsha"));
            String readme = Files.readString(Guide.PROJECT.resolve("lua/README.md"));
            command.addAll(permissions(readme, "Queues use `([A-Z\\s]+)`"));
            redis.command(command.toArray(String[]::new));
            for (String words :
                    List.of("Commands used: `([A-Z\\s]+)`", "of logs\\s+`([A-Z\\s]+)`", "of leases `([A-Z\\s]+)`")) {
                List<String> more = new ArrayList<>(List.of("ACL", "SETUSER", "limiter"));
                more.addAll(permissions(readme, words));
                redis.command(more.toArray(String[]::new));
            }
            String uri = "redis://limiter:pw@127.0.0.1:" + redis.port();
            try (RateLimiter limiter = Limiters.local(uri, new LogAssertions(), Limiters.PATIENT)) {
                BoundedQueue queue =
                        BoundedQueues.of(limiter).queue(TWO.in(form).withDeliveries(1));
                String id = queue.accept("fish").id();
                queue.take("keeper");
                await().until(() -> {
                    queue.take("keeper");
                    return queue.state(id) == EntryState.DEAD;
                });
                queue.accept("meat");
                assertThat(queue.stats().waiting()).isEqualTo(1);
                assertThat(queue.offer("hay")).isInstanceOf(OfferResult.Accepted.class);
                assertThat(queue.offer("hay")).isInstanceOf(OfferResult.Full.class);
                assertThat(queue.acknowledge(queue.take("keeper").orElseThrow()))
                        .isTrue();
                redis.command("ACL", "SETUSER", "limiter", "-zscore");
                assertThatExceptionOfType(StoreUnavailableException.class)
                        .isThrownBy(() -> queue.state(id))
                        .satisfies(
                                failed -> assertThat(failed.getMessage()).containsPattern(LogAssertions.NO_PERMISSION));
            }
            assertThat(log.lines())
                    .as("no user without queues needs the commands of queues")
                    .isEmpty();
        }
    }

    private static List<String> permissions(String readme, String words) {
        Matcher found = Pattern.compile(words).matcher(readme);
        assertThat(found.find()).isTrue();
        List<String> permissions = new ArrayList<>();
        for (String word : found.group(1).toLowerCase(Locale.ROOT).split("\\s+")) {
            permissions.add("+" + word);
        }
        return permissions;
    }
}
