/**
 * The types that you use: the annotation {@link dev.limiter.RateLimited}, policies, decisions, and
 * the {@link dev.limiter.RateLimiter} for work that is no request. The module depends on nothing
 * but the JDK.
 */
package dev.limiter;
