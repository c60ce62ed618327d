package dev.limiter.jaxrs.internal.settings;

/**
 * A name that nothing reads.
 *
 * @param line the name and its problem
 * @param isMistake whether it is surely meant for the limiter; a variable of the environment may
 *     belong to another program
 */
record UnknownName(String line, boolean isMistake) {}
