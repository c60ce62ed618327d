/**
 * What operators see and change while an application runs, and what callers see of their own
 * limits.
 */
package dev.limiter.operations;
