/** Asks the limiter before each call to a partner and reads what the partner answers. */
package dev.limiter.outbound.internal;
