package dev.limiter.redis;

import dev.limiter.model.Histories;
import dev.limiter.model.History;
import dev.limiter.model.Kind;
import dev.limiter.redis.internal.script.Proof;
import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.property.Property;
import dev.limiter.testkit.property.TestSize;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.RedisClient;

/**
 * Runs the same random histories, in virtual time, on the shipped scripts with a real Redis, on
 * the limiter in memory, and on the reference model. All results have to be equal. The number of
 * steps is printed for each kind that passes. Each subclass names some of the kinds, as
 * {@code kinds()}, so that two of them can run at the same time.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("proof")
abstract class ModelProof {
    /** Some 100,000 steps of each kind at full size. */
    private static final int HISTORIES = 3_500;

    /**
     * Below a fifth of full size, 40 in {@code mvn verify}: the mutants need 19 of each kind at
     * most. What is left in Redis is looked at, too, as the examination of mutants does.
     */
    private static final int WATCHED = 800;

    private RedisServer redis;
    private RedisClient jedis;
    private Proof proof;

    @BeforeAll
    void start() {
        redis = RedisServer.start();
        jedis = RedisClient.create(redis.uri());
        proof = new Proof(jedis);
    }

    @AfterAll
    void stop() {
        jedis.close();
        redis.close();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everyAnswerIsTheModels(Kind kind) {
        Property<History> property = History.forAll(Histories.of(kind));
        if (TestSize.of(100) < 20) {
            property.tries(WATCHED).check(proof::watched);
        } else {
            property.tries(HISTORIES).check(proof::of);
        }
        proof.print(kind.toString());
    }
}
