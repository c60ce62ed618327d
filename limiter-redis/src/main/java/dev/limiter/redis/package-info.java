/** The limiter on Redis: the scripts decide and record, one round trip for each decision. */
package dev.limiter.redis;
