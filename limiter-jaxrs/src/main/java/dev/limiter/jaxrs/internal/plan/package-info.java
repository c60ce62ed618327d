/** Holds what deployment leaves for requests: the limits of each resource method. */
package dev.limiter.jaxrs.internal.plan;
