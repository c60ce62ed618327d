/** Passes the limiter's decisions to metrics, logs and CDI events. */
package dev.limiter.jaxrs.internal.signals;
