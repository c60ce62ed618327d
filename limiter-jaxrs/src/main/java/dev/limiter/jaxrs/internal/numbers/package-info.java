/**
 * Loads the numbers of partitions from beans of the application, and caches them.
 */
package dev.limiter.jaxrs.internal.numbers;
