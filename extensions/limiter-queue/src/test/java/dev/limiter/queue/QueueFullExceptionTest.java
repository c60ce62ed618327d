package dev.limiter.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The figures for a service's own response to a full queue. */
class QueueFullExceptionTest {

    @ParameterizedTest
    @CsvSource({"1, 1", "400000, 1", "999999, 1", "1000000, 1", "1000001, 2", "58000001, 59"})
    void theWaitIsRoundedUpToSecondsAndIsAtLeastOne(long micros, long seconds) {
        assertThat(new QueueFullException("q", new OfferResult.Full(10, Duration.of(micros, ChronoUnit.MICROS)))
                        .retryAfterSeconds())
                .isEqualTo(seconds);
    }

    @Test
    void theClientIsToldOfTheQueueAndTheExactWait() {
        QueueFullException full = new QueueFullException("q", new OfferResult.Full(10, Duration.ofMillis(1_500)));
        assertThat(full.clientDetail()).contains("Queue \"q\" is full");
        assertThat(full.retryAfter()).isEqualTo(Duration.ofMillis(1_500));
    }

    /** Serialization keeps the exception, without the result of the offer. */
    @Test
    void itSurvivesSerialization() throws Exception {
        QueueFullException full = new QueueFullException("q", new OfferResult.Full(10, Duration.ofSeconds(7)));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(full);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            QueueFullException copy = (QueueFullException) in.readObject();
            assertThat(copy.retryAfterSeconds()).isEqualTo(7);
            assertThat(copy.retryAfter()).isEqualTo(Duration.ofSeconds(7));
        }
    }
}
