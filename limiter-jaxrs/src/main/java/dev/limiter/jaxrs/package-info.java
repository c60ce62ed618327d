/**
 * Limits of Jakarta REST applications and servlets. Annotations become plans at deployment, and a
 * filter decides requests by their plans.
 */
package dev.limiter.jaxrs;
