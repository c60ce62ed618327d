package dev.limiter.quarkus;

import java.util.Set;

/**
 * The application of Jakarta REST, as the build has found it.
 *
 * @param type its class
 * @param roots its root resources
 * @param free methods that no limit can count, and that ask for none, each as class{@code #}method
 * @param isLimited whether a class carries limits
 * @param isLimitedEarly whether one of them stands before authentication
 */
public record RestApplication(
        Class<?> type, Set<Class<?>> roots, Set<String> free, boolean isLimited, boolean isLimitedEarly) {
    /** Whether no limit can count a method; overloads are one. */
    boolean isFree(String type, String method) {
        return free.contains(type + '#' + method);
    }
}
