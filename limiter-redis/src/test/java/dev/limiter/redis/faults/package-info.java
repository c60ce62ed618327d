/**
 * What becomes of limits when Redis is slow, gone, moved, demoted or empty. The limiters are made
 * as an application makes them; each row of the promises is a test that prints its figures in one
 * line.
 */
package dev.limiter.redis.faults;
