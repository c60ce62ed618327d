/** Bucket4j on Lettuce. */
package dev.limiter.benchmarks.bucket4jlettuce;
