package dev.limiter.jaxrs.internal.declaration;

import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.policy.Plan;
import dev.limiter.jaxrs.internal.settings.SettingsCheck;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The plans of an application by resource method: read once, then looked up. */
public final class Plans {
    private static final System.Logger LOG = System.getLogger("dev.limiter.plan");

    private final PlanReader reader;
    private final ApplicationEndpoints endpoints;
    private final Plan beforeMatching;
    private final ConcurrentHashMap<Matched, Plan> plans = new ConcurrentHashMap<>();

    /** @param endpoints those of the application */
    public Plans(PlanReader reader, ApplicationEndpoints endpoints) {
        this.reader = reader;
        this.endpoints = endpoints;
        this.beforeMatching = reader.beforeMatching();
        PlanTable.of("the application, before matching", List.of(beforeMatching))
                .ifPresent(table -> LOG.log(System.Logger.Level.INFO, table));
    }

    /** The limits that every request meets before it is matched. */
    public Plan beforeMatching() {
        return beforeMatching;
    }

    /**
     * Reads the classes that are known at deployment, and logs their tables, the endpoints
     * without limits, and then the warnings, since one of a class may depend on another class.
     *
     * @throws RateLimitDeploymentException with every problem of a class
     */
    public void readAll() {
        Map<Class<?>, Map<Method, Plan>> all = new LinkedHashMap<>();
        endpoints.classes().forEach((type, method) -> all.put(type, read(type, method)));
        endpoints.log();
        warn(DeclarationWarnings.of(List.of(beforeMatching)));
        all.forEach((type, read) -> warn(DeclarationWarnings.of(type, read)));
    }

    /**
     * A method as it was matched. An inherited method has another plan on each class, since
     * classes have limits.
     */
    private record Matched(Class<?> resourceClass, Method method) {}

    /**
     * The plan of a matched method. A class that was not seen at deployment, such as a
     * sub-resource, is read now.
     *
     * @throws RateLimitDeploymentException with every problem of the class
     */
    public Plan of(Class<?> resourceClass, Method method) {
        Matched matched = new Matched(resourceClass, method);
        Plan known = plans.get(matched);
        return known != null ? known : readLate(matched);
    }

    /** Reads a class once, though several requests may be its first. */
    private synchronized Plan readLate(Matched matched) {
        if (!plans.containsKey(matched)) {
            Class<?> type = matched.resourceClass();
            warn(DeclarationWarnings.of(type, read(type, matched.method())));
        }
        return plans.get(matched);
    }

    private static void warn(List<String> warnings) {
        warnings.forEach(warning -> LOG.log(System.Logger.Level.WARNING, warning));
    }

    private Map<Method, Plan> read(Class<?> resourceClass, Method method) {
        List<String> problems = new ArrayList<>();
        Map<Method, Plan> read = reader.readAll(resourceClass, ResourceMethods.of(resourceClass, method), problems);
        SettingsCheck.refuse(problems);
        endpoints.shown(resourceClass, List.copyOf(read.keySet()));
        read.forEach((each, plan) -> plans.put(new Matched(resourceClass, each), plan));
        PlanTable.of(resourceClass.getName(), List.copyOf(read.values()))
                .ifPresent(table -> LOG.log(System.Logger.Level.INFO, table));
        return read;
    }
}
