/** Finds the beans whose methods have limits, and asks the limiter before each call. */
package dev.limiter.cdi.internal;
