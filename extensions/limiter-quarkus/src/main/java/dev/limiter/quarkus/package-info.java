/**
 * Limits on Quarkus REST. What is public here is public for the build of an application, which
 * records it; nothing is for use in code.
 */
package dev.limiter.quarkus;
