/** Connects the limiter with CDI: beans, events and the health check. */
package dev.limiter.jaxrs.internal.cdi;
