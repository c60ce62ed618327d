/** Takes one request from the first filter to its end. */
package dev.limiter.jaxrs.internal.request;
