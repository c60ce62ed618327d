/** Finds the address of the client, also behind trusted proxies. */
package dev.limiter.jaxrs.internal.address;
