package dev.limiter.redis;

import dev.limiter.Algorithm;
import dev.limiter.Refill;
import dev.limiter.model.Histories;
import dev.limiter.model.History;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Windows, logs, leases and gates. */
class CountersProofTest extends ModelProof {

    @Property
    void fixedWindow(@ForAll("fixedWindowHistories") History history) {
        proof.of(history);
    }

    @Property
    void slidingWindow(@ForAll("slidingWindowHistories") History history) {
        proof.of(history);
    }

    @Property
    void slidingLog(@ForAll("slidingLogHistories") History history) {
        proof.of(history);
    }

    @Property
    void concurrency(@ForAll("concurrencyHistories") History history) {
        proof.of(history);
    }

    @Property
    void gate(@ForAll("gateHistories") History history) {
        proof.of(history);
    }

    @Provide
    Arbitrary<History> fixedWindowHistories() {
        return Histories.of(Algorithm.FIXED_WINDOW, Refill.SMOOTH);
    }

    @Provide
    Arbitrary<History> slidingWindowHistories() {
        return Histories.of(Algorithm.SLIDING_WINDOW, Refill.SMOOTH);
    }

    @Provide
    Arbitrary<History> slidingLogHistories() {
        return Histories.of(Algorithm.SLIDING_LOG, Refill.SMOOTH);
    }

    @Provide
    Arbitrary<History> concurrencyHistories() {
        return Histories.of(Algorithm.CONCURRENCY, Refill.SMOOTH);
    }

    @Provide
    Arbitrary<History> gateHistories() {
        return Histories.of(Algorithm.GATE, Refill.SMOOTH);
    }
}
