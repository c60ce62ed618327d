/** Writes what the client is told: headers and problem details. */
package dev.limiter.jaxrs.internal.response;
