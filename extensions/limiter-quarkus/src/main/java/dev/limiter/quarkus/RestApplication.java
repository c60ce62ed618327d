package dev.limiter.quarkus;

import java.util.Set;

/**
 * The application of Jakarta REST, as the build has found it.
 *
 * @param type its class
 * @param roots its root resources
 * @param isLimited whether a class carries limits
 * @param isLimitedEarly whether one of them stands before authentication
 */
public record RestApplication(Class<?> type, Set<Class<?>> roots, boolean isLimited, boolean isLimitedEarly) {}
