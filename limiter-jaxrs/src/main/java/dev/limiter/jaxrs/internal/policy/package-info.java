/** Keeps policies by name, with what configuration changes in them. */
package dev.limiter.jaxrs.internal.policy;
