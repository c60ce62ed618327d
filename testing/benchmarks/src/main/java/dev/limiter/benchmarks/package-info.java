/**
 * Measures the limiter beside its peers and writes docs/benchmarks/last-run.md.
 *
 * <p>{@link dev.limiter.benchmarks.Benchmarks} starts a JVM for each experiment, collects the
 * samples that it prints, sets the goals beside them, and writes the document. No figure in it
 * was typed by hand.
 */
package dev.limiter.benchmarks;
