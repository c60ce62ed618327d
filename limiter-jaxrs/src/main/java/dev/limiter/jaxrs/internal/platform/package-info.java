/** Finds out which optional APIs are around the library. */
package dev.limiter.jaxrs.internal.platform;
