/**
 * Limits on the methods of CDI beans, by {@code @RateLimited} as on resources of Jakarta REST.
 * Applications need no type of this package; servers whose threads must not block do.
 */
package dev.limiter.cdi;
