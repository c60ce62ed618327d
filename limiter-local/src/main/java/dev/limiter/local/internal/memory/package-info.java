/** Keeps the states of partitions in memory and decides on them. */
package dev.limiter.local.internal.memory;
