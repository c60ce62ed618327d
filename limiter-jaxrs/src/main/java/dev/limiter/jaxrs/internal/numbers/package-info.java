/**
 * Asks beans of the application for the numbers of partitions, and keeps the answers for a time.
 */
package dev.limiter.jaxrs.internal.numbers;
