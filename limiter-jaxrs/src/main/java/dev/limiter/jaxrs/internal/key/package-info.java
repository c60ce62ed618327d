/** Parses key expressions and reads their values from a request. */
package dev.limiter.jaxrs.internal.key;
