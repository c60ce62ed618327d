package dev.limiter.jaxrs.internal.policy;

import dev.limiter.Stage;
import dev.limiter.jaxrs.internal.form.FormEntity;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * All limits of one resource method, or servlet, by the stage that decides them; made at
 * deployment.
 *
 * @param endpoint the resource method, as <code>{endpoint}</code> counts it
 * @param formEntity whether the method takes its body as a form
 * @param answersOptions whether code of the service's own answers OPTIONS here
 * @param limits those of the application, then of the class, then of the method, each in the
 *     order of declaration
 */
public record Plan(
        String endpoint,
        FormEntity formEntity,
        boolean answersOptions,
        List<Limit> limits,
        Map<Stage, List<Limit>> byStage) {

    public Plan(String endpoint, FormEntity formEntity, boolean answersOptions, List<Limit> limits) {
        this(
                endpoint,
                formEntity,
                answersOptions,
                List.copyOf(limits),
                limits.stream().collect(Collectors.groupingBy(Limit::stage)));
    }

    /** Whether the limits count requests of this method: OPTIONS if it is answered here. */
    public boolean counts(String verb) {
        return answersOptions || !verb.equals("OPTIONS");
    }

    public List<Limit> at(Stage stage) {
        return byStage.getOrDefault(stage, List.of());
    }

    public boolean isEmpty() {
        return limits.isEmpty();
    }
}
