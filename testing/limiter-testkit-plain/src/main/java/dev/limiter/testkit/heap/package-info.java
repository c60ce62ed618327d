/** What the heap of this process holds. */
package dev.limiter.testkit.heap;
