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
 * in virtual time, and have to answer alike in everything: windows, logs and leases. {@code -Dmodel.histories} says how
 * many histories for each.
 */
class CountersProofTest {
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
}
