package dev.limiter.cdi.internal;

import dev.limiter.jaxrs.internal.policy.Plan;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * The method of a bean, with its limits.
 *
 * @param parameters their names, in order
 * @param result how calls give back what they return
 */
record LimitedMethod(Plan plan, List<String> parameters, Result result) {
    /** What a call gives back: what its method returns, or a rejection. */
    @FunctionalInterface
    interface Result {
        Object of(Call call) throws Exception;
    }

    static LimitedMethod of(Method method, Plan plan) {
        return new LimitedMethod(
                plan,
                Stream.of(method.getParameters()).map(Parameter::getName).toList(),
                result(method.getReturnType()));
    }

    private static Result result(Class<?> returned) {
        return switch (returned.getName()) {
            case "io.smallrye.mutiny.Uni" -> MutinyResults::uni;
            case "io.smallrye.mutiny.Multi" -> MutinyResults::multi;
            default ->
                returned == CompletionStage.class || returned == CompletableFuture.class ? Call::stage : Call::value;
        };
    }
}
