/**
 * A real Redis for tests and for the example, and what goes wrong with one: {@link dev.limiter.testkit.RedisServer}, and
 * in front of it {@link dev.limiter.testkit.FaultProxy}.
 */
package dev.limiter.testkit;
