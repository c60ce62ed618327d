/** A real Redis for tests and for the example: {@link dev.limiter.testkit.RedisServer}. */
package dev.limiter.testkit;
