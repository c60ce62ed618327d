/** Handles text: log lines, case folding, URL encoding and suggestions. */
package dev.limiter.jaxrs.internal.text;
