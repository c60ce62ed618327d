/**
 * The Jakarta REST side of the limiter. Annotations become plans at deployment; a filter decides
 * requests by their plans.
 */
package dev.limiter.jaxrs;
