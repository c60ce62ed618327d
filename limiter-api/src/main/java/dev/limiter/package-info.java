/**
 * What users of the limiter write and read: the annotation {@link dev.limiter.RateLimited},
 * policies, decisions, and the {@link dev.limiter.RateLimiter} for work that is no request. It
 * depends on nothing but the JDK.
 */
package dev.limiter;
