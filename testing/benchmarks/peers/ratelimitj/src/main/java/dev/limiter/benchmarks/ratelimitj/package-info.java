/** RateLimitJ. */
package dev.limiter.benchmarks.ratelimitj;
