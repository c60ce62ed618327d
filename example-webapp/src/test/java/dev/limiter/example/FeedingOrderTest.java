package dev.limiter.example;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Orders that can be accepted, and that are equal when they are read back. */
class FeedingOrderTest {

    @Test
    void whatIsWrittenCanBeRead() {
        FeedingOrder order = new FeedingOrder("Ada", "fish \uD83D\uDC1F");
        assertThat(order.isReadable()).isTrue();
        assertThat(FeedingOrder.read(order.written())).isEqualTo(order);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "A\nda", "\uD83D", "Ada \uDC1F"})
    void whatIsNoLineOfTextIsNoOrder(String text) {
        assertThat(new FeedingOrder(text, "fish").isReadable()).isFalse();
        assertThat(new FeedingOrder("Ada", text).isReadable()).isFalse();
    }
}
