/** Reads the fields of a form before the resource method does, and leaves the form readable. */
package dev.limiter.jaxrs.internal.form;
