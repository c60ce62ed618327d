package dev.limiter.queue.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.local.LocalRateLimiter;
import dev.limiter.queue.BoundedQueues;
import dev.limiter.queue.QueueStorage;
import dev.limiter.redis.recorded.Recordings;
import dev.limiter.testkit.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;

/**
 * A process of another version takes these entries during an update: a difference would lose work
 * or do it twice.
 */
class RecordedQueuesTest {
    private static final Path FOLDER = Path.of("src/test/resources/dev/limiter/queue/recorded");
    private static RedisServer redis;
    private static RedisClient jedis;
    private static Recordings recordings;

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
        jedis = RedisClient.create(redis.uri());
        recordings = new Recordings(
                FOLDER, jedis, (name, headers, time) -> new QueuePlayer(BoundedQueues.of(time.shipped("zoo")), name));
    }

    @AfterAll
    static void stop() {
        jedis.close();
        redis.close();
    }

    @Test
    void thePresentBuildLeavesTheQueuesOfTheLastFile() throws IOException {
        recordings.requireWritten();
    }

    @Test
    void theQueuesOfEveryReleaseGoOnToTheMicrosecond() throws IOException {
        for (Path release : recordings.releases()) {
            System.out.printf("%n%s: %d queues go on%n", release.getFileName(), recordings.requireGoneOn(release));
        }
    }

    /** Another implementation gives the recorded answers, too. */
    @Test
    void queuesInMemoryGiveTheSameAnswers() throws IOException {
        recordings.requireAnswers(
                (name, headers, time) -> new QueuePlayer(BoundedQueues.of(new LocalRateLimiter(time)), name));
    }

    @Test
    void eachFormOfAQueueIsRecorded() throws IOException {
        assertThat(Arrays.stream(QueueStorage.values()).map(form -> "under " + form + ";"))
                .allSatisfy(under -> assertThat(recordings.calls()).anyMatch(call -> call.startsWith(under)));
    }
}
