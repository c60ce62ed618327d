/**
 * What limiters, stores and extensions agree on: how a store is found, where its settings come
 * from, and what it reports.
 */
package dev.limiter.spi;
