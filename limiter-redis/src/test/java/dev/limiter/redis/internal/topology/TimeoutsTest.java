package dev.limiter.redis.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.redis.internal.script.KeyDigest;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Property;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How any deadline is shared out, to the millisecond. */
@Tag("proof")
class TimeoutsTest {

    @Test
    void eachPartHasAMillisecondAndAllTogetherKeepTheDeadline() {
        for (int millis = 3; millis <= 60_000; millis = millis < 1_000 ? millis + 1 : millis + 97) {
            Timeouts parts = Timeouts.within(Duration.ofMillis(millis));
            assertThat(parts.waitMillis()).isPositive();
            assertThat(parts.connectMillis()).isBetween(1, Math.max(1, millis / 3));
            assertThat(parts.leastReadMillis()).isBetween(1, Math.max(1, millis / 3));
            assertThat(parts.deadlineMillis()).as("of %d ms", millis).isEqualTo(millis);
            assertThat(parts.connectMillis()).as("a third of %d ms", millis).isEqualTo(millis / 3);
            assertThat(15 * parts.leastReadMillis())
                    .as("four fifteenths of %d ms, but at least 1", millis)
                    .isBetween(Math.max(15, 4 * millis - 14), Math.max(15, 4 * millis));
            assertThat(parts.openMillis()).isEqualTo(2 * parts.leastReadMillis());
        }
        assertThat(Timeouts.within(Duration.ofMillis(150))).isEqualTo(new Timeouts(70, 50, 40));
    }

    @Test
    void whatIsSentCanBeAnsweredWithinTheDeadline() {
        Property.forAll((Dice dice) -> new long[] {dice.between(3, 60_000), dice.number(0, 100_000_000_000L)})
                .tries(20_000)
                .check(drawn -> {
                    Timeouts parts = Timeouts.within(Duration.ofMillis(drawn[0]));
                    long latest = (drawn[0] - parts.leastReadMillis()) * 1_000_000;
                    assertThat(parts.leaveTimeForAnotherCall(drawn[1])).isEqualTo(drawn[1] <= latest);
                    assertThat(parts.leaveTimeForAnotherCall(latest)).isTrue();
                    assertThat(parts.leaveTimeForAnotherCall(latest + 1)).isFalse();
                });
    }

    @Test
    void everyCharacterIsTwoBytesOfItsOwn() {
        StringBuilder all = new StringBuilder();
        for (int c = 0; c < Character.MIN_SURROGATE; c++) {
            all.append((char) c);
        }
        byte[] bytes = new byte[2 * all.length()];
        KeyDigest.utf16(all.toString(), bytes);
        assertThat(bytes).isEqualTo(all.toString().getBytes(StandardCharsets.UTF_16BE));
        byte[] lone = new byte[4];
        KeyDigest.utf16("\udfff\ud800", lone);
        assertThat(lone).containsExactly(0xdf, 0xff, 0xd8, 0x00);
    }
}
