/** Finds out what is around the library: optional APIs, other copies of it. Handles text. */
package dev.limiter.jaxrs.internal.platform;
