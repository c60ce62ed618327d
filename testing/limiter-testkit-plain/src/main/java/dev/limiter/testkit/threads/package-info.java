/** Threads that do something at once. */
package dev.limiter.testkit.threads;
