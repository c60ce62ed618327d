package dev.limiter.queue.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.local.LocalRateLimiter;
import dev.limiter.queue.BoundedQueues;
import dev.limiter.queue.QueueStorage;
import dev.limiter.redis.recorded.RecordingsContract;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A process of another version takes these entries during an update: a difference would lose work
 * or do it twice.
 */
@Tag("store")
class RecordedQueuesTest extends RecordingsContract {
    RecordedQueuesTest() {
        super("queue/recorded", (name, headers, time) -> new QueuePlayer(BoundedQueues.of(time.shipped("zoo")), name));
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
