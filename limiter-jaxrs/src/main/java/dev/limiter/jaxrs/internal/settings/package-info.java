/** Reads settings and reports names that no part of the limiter reads. */
package dev.limiter.jaxrs.internal.settings;
