package dev.limiter.local.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The clock of a store that decides elsewhere, as far as its answers tell it. */
class FollowedClockTest {
    private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");
    private static final long OWN = NOW.getEpochSecond() * 1_000_000;

    private final MemoryStore store = new MemoryStore(() -> NOW);

    /** It was asked 50 ms ago, and has decided at any instant since. */
    @Test
    void anAnswerThatTheOwnClockExplainsMovesNothing() {
        for (int millis = 0; millis <= 50; millis += 10) {
            store.follow(OWN - millis * 1_000, OWN - 50_000, OWN);
            assertThat(store.nowMicros()).isEqualTo(OWN);
        }
    }

    @Test
    void anAnswerThatItDoesNotExplainMovesAsLittleAsItMust() {
        store.follow(OWN + 20_000, OWN - 50_000, OWN);
        assertThat(store.nowMicros()).isEqualTo(OWN + 20_000);
        store.follow(OWN - 30_000, OWN - 50_000, OWN);
        assertThat(store.nowMicros()).as("20 ms ahead at most").isEqualTo(OWN + 20_000);
    }
}
