/** Redisson. */
package dev.limiter.benchmarks.redisson;
