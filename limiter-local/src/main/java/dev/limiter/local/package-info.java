/**
 * The limiter without a store: the same algorithms and results as with Redis, in the memory of one
 * process.
 */
package dev.limiter.local;
