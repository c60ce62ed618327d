/**
 * Keeps policies by name, with what configuration changes in them and what contracts say, and
 * the limits of each resource method.
 */
package dev.limiter.jaxrs.internal.policy;
