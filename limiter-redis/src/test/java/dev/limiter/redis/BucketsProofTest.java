package dev.limiter.redis;

import dev.limiter.Algorithm;
import dev.limiter.Refill;
import dev.limiter.model.Histories;
import dev.limiter.model.History;
import dev.limiter.testkit.RedisServer;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import redis.clients.jedis.RedisClient;

/**
 * The shipped scripts on a real Redis and the limiter in memory live through the same random histories as the reference model,
 * in virtual time, and have to answer alike in everything: whatever is kept as an instant or as tokens. {@code -Dmodel.histories} says how
 * many histories for each.
 */
class BucketsProofTest {
    private static RedisServer redis;
    private static RedisClient jedis;
    private static Proof proof;

    @BeforeContainer
    static void start() {
        redis = RedisServer.start();
        jedis = RedisClient.create(redis.uri());
        proof = new Proof(jedis);
    }

    @AfterContainer
    static void stop() {
        proof.print();
        jedis.close();
        redis.close();
    }

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
