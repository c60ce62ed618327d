/**
 * Measures the limiter beside its peers and writes docs/benchmarks.
 *
 * <p>{@link dev.limiter.benchmarks.Benchmarks} starts a JVM for each experiment, collects the
 * samples that it prints, sets the goals beside them, and writes tables, a picture and a page. No figure
 * in them was typed by hand.
 */
package dev.limiter.benchmarks;
