/** The interface of all measured competitors. */
package dev.limiter.benchmarks.contest;
