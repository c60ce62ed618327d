/** Writes the limiter's part of responses: headers and problem details. */
package dev.limiter.jaxrs.internal.response;
