/** The limiter without a store: the same algorithms and answers as on Redis, held in the memory of one process. */
package dev.limiter.local;
