/** Finds out which optional APIs are around the library, and handles text. */
package dev.limiter.jaxrs.internal.platform;
