/**
 * Puts the Redis limiter together: decisions, cached rejections, and the groups of a cluster.
 */
package dev.limiter.redis.internal.limiter;
