/**
 * The contract between limiters, stores and extensions: how a store is found, where its settings
 * come from, and what it reports.
 */
package dev.limiter.spi;
