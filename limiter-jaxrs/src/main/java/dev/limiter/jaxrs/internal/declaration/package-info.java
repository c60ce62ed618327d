/** Reads annotations into plans when the application is deployed, and finds mistakes in them. */
package dev.limiter.jaxrs.internal.declaration;
