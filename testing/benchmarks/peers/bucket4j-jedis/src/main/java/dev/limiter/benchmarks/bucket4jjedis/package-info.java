/** Bucket4j on Jedis. */
package dev.limiter.benchmarks.bucket4jjedis;
