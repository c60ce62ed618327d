/** Builds the collaborators of one application and connects them. */
package dev.limiter.jaxrs.internal.bootstrap;
