/** Keeps policies by name, with what configuration changes in them and what contracts say. */
package dev.limiter.jaxrs.internal.policy;
