package dev.limiter.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.limiter.InvalidPolicyException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The members of a queue policy, and the errors for wrong ones. */
class QueuePolicyTest {
    private static final QueuePolicy TEN = QueuePolicy.of("orders", 10);

    @Test
    void theNumbersThatAreNotNamedAreThoseOfTheDocumentation() {
        assertThat(TEN)
                .isEqualTo(new QueuePolicy("orders", QueueStorage.STREAM, 10, Duration.ofMinutes(1), 5, 1_000, 65_536));
        assertThat(TEN.in(QueueStorage.LIST)
                        .withCapacity(1)
                        .withHold(Duration.ofMillis(2))
                        .withDeliveries(3)
                        .remembering(4)
                        .withPayloadsUpTo(5))
                .isEqualTo(new QueuePolicy("orders", QueueStorage.LIST, 1, Duration.ofMillis(2), 3, 4, 5));
        assertThat(TEN.holdMicros()).isEqualTo(60_000_000);
    }

    @ParameterizedTest
    @CsvSource({
        "'', 1, PT1S, 1, 1, 1, name is missing",
        "q, 0, PT1S, 1, 1, 1, 'capacity must be from 1 to 1000000, was 0'",
        "q, 1000001, PT1S, 1, 1, 1, 'capacity must be from 1 to 1000000, was 1000001'",
        "q, 1, PT0.0009S, 1, 1, 1, 'hold must be from 1 ms to 366 days, was 900us'",
        "q, 1, P367D, 1, 1, 1, 'hold must be from 1 ms to 366 days, was 367d'",
        "q, 1, PT1.0000001S, 1, 1, 1, 'hold must be whole microseconds, was PT1.0000001S'",
        "q, 1, PT1S, 0, 1, 1, 'deliveries must be from 1 to 1000, was 0'",
        "q, 1, PT1S, 1001, 1, 1, 'deliveries must be from 1 to 1000, was 1001'",
        "q, 1, PT1S, 1, 0, 1, 'remembered must be from 1 to 100000, was 0'",
        "q, 1, PT1S, 1, 1, 0, 'maxPayloadBytes must be from 1 to 1048576, was 0'",
        "q, 1, PT1S, 1, 1, 1048577, 'maxPayloadBytes must be from 1 to 1048576, was 1048577'",
    })
    void eachRuleSaysWhatItIs(
            String name, long capacity, Duration hold, int deliveries, int remembered, int bytes, String message) {
        assertThatExceptionOfType(InvalidPolicyException.class)
                .isThrownBy(
                        () -> new QueuePolicy(name, QueueStorage.STREAM, capacity, hold, deliveries, remembered, bytes))
                .withMessage(message)
                .matches(invalid -> message.startsWith(invalid.member()));
    }

    @Test
    void aFormAndAHoldAreNeeded() {
        assertThatExceptionOfType(InvalidPolicyException.class)
                .isThrownBy(() -> TEN.in(null))
                .withMessage("form is missing");
        assertThatExceptionOfType(InvalidPolicyException.class)
                .isThrownBy(() -> TEN.withHold(null))
                .withMessage("hold is missing");
    }

    @Test
    void aPayloadIsMeasuredInBytes() {
        QueuePolicy four = TEN.withPayloadsUpTo(4);
        assertThat(four.encoded("\uD83D\uDC27")).hasSize(4);
        assertThat(four.encoded("")).isEmpty();
        for (String tooLong : new String[] {"fishy", "\u00E4\u00E4x"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> four.encoded(tooLong))
                    .withMessage("payload must have at most 4 bytes of UTF-8");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> four.encoded("\uD83D"))
                .withMessageContaining("half a surrogate pair");
    }

    @Test
    void aConsumerHasAName() {
        Delivery.requireConsumer("keeper 1");
        for (String wrong : new String[] {"", "kee\nper", "k\u00E4", "x".repeat(101)}) {
            assertThatIllegalArgumentException().isThrownBy(() -> Delivery.requireConsumer(wrong));
        }
    }

    /** The wait follows from the pace at which the first waiting entry came to the front. */
    @Test
    void aRefusalTellsWhenAPlaceMayBeFree() {
        assertThat(OfferResult.Full.of(10, 10, 9, 9_000_000))
                .isEqualTo(new OfferResult.Full(10, Duration.ofSeconds(1)));
        assertThat(OfferResult.Full.of(10, 10, 10, 5).retryAfter()).isEqualTo(Duration.ofMillis(1));
        assertThat(OfferResult.Full.of(10, 10, 0, 0).retryAfter()).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void whereTheCapacityWasLoweredMoreThanOneMustLeaveFirst() {
        assertThat(OfferResult.Full.of(10, 8, 9, 9_000_000)).isEqualTo(new OfferResult.Full(10, Duration.ofSeconds(3)));
        long year = 31_536_000_000_000L;
        assertThat(OfferResult.Full.of(1_000_000, 1, 1, year).retryAfter())
                .as("beyond what 64 bits count in microseconds")
                .isEqualTo(Duration.ofDays(365_000_000));
    }
}
