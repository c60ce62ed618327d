/**
 * The rules of each algorithm: what a state in the store means under the members of a policy.
 */
package dev.limiter.internal.algorithm;
