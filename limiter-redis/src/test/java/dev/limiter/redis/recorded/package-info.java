/**
 * What each release leaves in Redis, and how a later build goes on from it: states in text files,
 * with the answers to the calls that follow.
 */
package dev.limiter.redis.recorded;
