/** Shares the changes of operators among instances, and counts who is rejected. */
package dev.limiter.operations.internal;
