/**
 * What operators see and change while an application runs, and what callers see of their limits.
 */
package dev.limiter.operations;
