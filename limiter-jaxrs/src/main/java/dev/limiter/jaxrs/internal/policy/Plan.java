package dev.limiter.jaxrs.internal.policy;

import dev.limiter.Stage;
import dev.limiter.jaxrs.internal.form.FormEntity;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * All limits of one resource method, or servlet, by the stage that decides them; made at
 * deployment.
 */
public final class Plan {
    private final String endpoint;
    private final FormEntity formEntity;
    private final boolean answersOptions;
    private final List<Limit> limits;
    private final Map<Stage, List<Limit>> byStage = new EnumMap<>(Stage.class);

    /**
     * @param endpoint the resource method, as <code>{endpoint}</code> counts it
     * @param formEntity whether the method takes its body as a form
     * @param answersOptions whether code of the service's own answers OPTIONS here
     * @param limits those of the application, then of the class, then of the method, each in the
     *     order of declaration
     */
    public Plan(String endpoint, FormEntity formEntity, boolean answersOptions, List<Limit> limits) {
        this.endpoint = endpoint;
        this.formEntity = formEntity;
        this.answersOptions = answersOptions;
        this.limits = List.copyOf(limits);
        for (Stage stage : Stage.values()) {
            byStage.put(
                    stage,
                    limits.stream().filter(limit -> limit.stage() == stage).toList());
        }
    }

    public String endpoint() {
        return endpoint;
    }

    public FormEntity formEntity() {
        return formEntity;
    }

    /** Whether the limits count requests of this method: OPTIONS if it is answered here. */
    public boolean counts(String verb) {
        return answersOptions || !verb.equals("OPTIONS");
    }

    public List<Limit> limits() {
        return limits;
    }

    public List<Limit> at(Stage stage) {
        return byStage.get(stage);
    }

    public boolean isEmpty() {
        return limits.isEmpty();
    }
}
