/** Asks the limiter before each call to a partner, and reads the partner's response. */
package dev.limiter.outbound.internal;
