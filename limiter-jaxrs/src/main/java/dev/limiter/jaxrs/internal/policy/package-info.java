/**
 * Keeps policies by name, with what configuration and operators change in them, finds the numbers
 * of each caller, and keeps the limits of each resource method.
 */
package dev.limiter.jaxrs.internal.policy;
