/**
 * A real Redis for tests and for the example, alone as {@link dev.limiter.testkit.RedisServer},
 * with others as {@link dev.limiter.testkit.RedisCluster} or
 * {@link dev.limiter.testkit.RedisSentinels}; and {@link dev.limiter.testkit.FaultProxy}, the
 * network between.
 */
package dev.limiter.testkit;
