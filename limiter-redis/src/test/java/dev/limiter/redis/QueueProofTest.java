package dev.limiter.redis;

import dev.limiter.testkit.RedisServer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import redis.clients.jedis.RedisClient;

/** Both forms on a real Redis, in virtual time, and the queue in memory live through the same random histories as the model. */
class QueueProofTest {
    /** Some 20,000 steps: an operation is a program of a few lines, and its state is small. */
    private static final int HISTORIES = 700;

    private static RedisServer redis;
    private static RedisClient jedis;
    private static QueueProof proof;

    @BeforeContainer
    static void start() {
        redis = RedisServer.start();
        jedis = RedisClient.create(redis.uri());
        proof = new QueueProof(jedis);
    }

    @AfterContainer
    static void stop() {
        proof.print();
        jedis.close();
        redis.close();
    }

    /** A seed does not shrink: the history of one that fails is told as it was. */
    @Property(tries = HISTORIES, shrinking = ShrinkingMode.OFF)
    void everyAnswerIsTheModels(@ForAll long seed) {
        proof.of(seed);
    }
}
