package dev.limiter.queue;

import dev.limiter.queue.model.QueueHistories;
import dev.limiter.queue.model.QueueHistory;
import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.property.Property;
import dev.limiter.testkit.property.TestSize;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;

/**
 * Both forms on a real Redis, in virtual time, and the queue in memory live through the same
 * random histories as the model.
 */
@Tag("proof")
@Tag("store")
class QueueProofTest {
    /**
     * Some 40,000 steps. They suffice because an operation is a program of a few lines, and its
     * state is small.
     */
    private static final int HISTORIES = 700;

    /** Below a fifth of full size, 150 in {@code mvn verify}: the mutants need 77 at most. */
    private static final int SOME = 3_000;

    private static RedisServer redis;
    private static RedisClient jedis;
    private static QueueProof proof;

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
        jedis = RedisClient.create(redis.uri());
        proof = new QueueProof(jedis);
    }

    @AfterAll
    static void stop() {
        jedis.close();
        redis.close();
    }

    @Test
    void everyAnswerIsTheModels() {
        Property.forAll(QueueHistories.any())
                .tries(TestSize.of(100) < 20 ? SOME : HISTORIES)
                .leavingOut(QueueHistory::steps, (history, steps) -> new QueueHistory(steps))
                .check(proof::of);
        proof.print();
    }
}
