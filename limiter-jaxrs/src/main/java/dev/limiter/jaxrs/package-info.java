/** The Jakarta REST side of the limiter: annotations become plans at deployment, plans become decisions in a filter. */
package dev.limiter.jaxrs;
