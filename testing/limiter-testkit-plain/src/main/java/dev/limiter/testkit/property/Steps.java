package dev.limiter.testkit.property;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * How the steps of a case are read and replaced.
 *
 * @param of the steps of a case, in order
 * @param with the same case with other steps: a part of its own steps, in the same order, never
 *     empty
 */
record Steps<T, S>(Function<T, List<S>> of, BiFunction<T, List<S>, T> with) {

    int count(T drawn) {
        return of.apply(drawn).size();
    }

    /** The case without the steps from index {@code from} to before index {@code to}. */
    T without(T drawn, int from, int to) {
        List<S> steps = of.apply(drawn);
        List<S> left = new ArrayList<>(steps.subList(0, from));
        left.addAll(steps.subList(to, steps.size()));
        return with.apply(drawn, List.copyOf(left));
    }
}
