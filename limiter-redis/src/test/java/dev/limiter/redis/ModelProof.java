package dev.limiter.redis;

import dev.limiter.testkit.RedisServer;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import redis.clients.jedis.RedisClient;

/**
 * The shipped scripts on a real Redis and the limiter in memory live through the same random histories as the reference model,
 * in virtual time, and have to answer alike in everything. {@code -Dmodel.histories} says how many histories for each kind;
 * what was tried is printed at the end.
 */
abstract class ModelProof {
    static Proof proof;
    private static RedisServer redis;
    private static RedisClient jedis;

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
}
