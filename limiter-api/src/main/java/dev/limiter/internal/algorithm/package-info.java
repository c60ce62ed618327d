/**
 * The rules of each algorithm: what a state in the store means under the numbers of a policy.
 */
package dev.limiter.internal.algorithm;
