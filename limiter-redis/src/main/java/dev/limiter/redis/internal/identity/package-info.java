/** Who the limiter is to Redis: credentials that change, and certificates that are renewed. */
package dev.limiter.redis.internal.identity;
