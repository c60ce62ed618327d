/**
 * Tests limits while Redis is slow, gone, moved, demoted or empty. The limiters are made as an
 * application makes them. Each promise is a test that prints its figures in one line.
 */
package dev.limiter.redis.faults;
