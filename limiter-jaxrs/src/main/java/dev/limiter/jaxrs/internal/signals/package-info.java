/** Tells metrics, logs and CDI events what the limiter decided. */
package dev.limiter.jaxrs.internal.signals;
