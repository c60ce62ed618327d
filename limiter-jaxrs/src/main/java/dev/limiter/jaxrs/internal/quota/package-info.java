/** Loads the quotas of contracts from beans of the application, and keeps them. */
package dev.limiter.jaxrs.internal.quota;
