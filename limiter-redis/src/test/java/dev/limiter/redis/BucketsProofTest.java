package dev.limiter.redis;

import dev.limiter.Algorithm;
import dev.limiter.Refill;
import dev.limiter.model.Histories;
import dev.limiter.model.History;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever is kept as an instant or as tokens. */
class BucketsProofTest extends ModelProof {

    @Property
    void tokenBucket(@ForAll("tokenBucketHistories") History history) {
        proof.of(history);
    }

    @Property
    void tokenBucketAtIntervals(@ForAll("tokenBucketAtIntervalsHistories") History history) {
        proof.of(history);
    }

    @Property
    void gcra(@ForAll("gcraHistories") History history) {
        proof.of(history);
    }

    @Property
    void uniform(@ForAll("uniformHistories") History history) {
        proof.of(history);
    }

    @Property
    void leakyBucket(@ForAll("leakyBucketHistories") History history) {
        proof.of(history);
    }

    @Provide
    Arbitrary<History> tokenBucketHistories() {
        return Histories.of(Algorithm.TOKEN_BUCKET, Refill.SMOOTH);
    }

    @Provide
    Arbitrary<History> tokenBucketAtIntervalsHistories() {
        return Histories.of(Algorithm.TOKEN_BUCKET, Refill.INTERVAL);
    }

    @Provide
    Arbitrary<History> gcraHistories() {
        return Histories.of(Algorithm.GCRA, Refill.SMOOTH);
    }

    @Provide
    Arbitrary<History> uniformHistories() {
        return Histories.of(Algorithm.UNIFORM, Refill.SMOOTH);
    }

    @Provide
    Arbitrary<History> leakyBucketHistories() {
        return Histories.of(Algorithm.LEAKY_BUCKET, Refill.SMOOTH);
    }
}
