/** What is asked of everyone who is measured. */
package dev.limiter.benchmarks.contest;
