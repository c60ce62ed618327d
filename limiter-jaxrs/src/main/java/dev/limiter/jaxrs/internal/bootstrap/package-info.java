/** Builds the collaborators of one application and connects them, also with CDI. */
package dev.limiter.jaxrs.internal.bootstrap;
