package dev.limiter.jaxrs.internal.declaration;

import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.policy.Plan;
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
     * Reads the classes that are known at deployment, and logs their tables and the endpoints
     * without limits.
     *
     * @throws RateLimitDeploymentException with every problem of a class
     */
    public void readAll() {
        endpoints.classes().forEach(this::of);
        endpoints.log();
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
        Plan known = plans.get(new Matched(resourceClass, method));
        return known != null ? known : read(resourceClass, method);
    }

    private synchronized Plan read(Class<?> resourceClass, Method method) {
        List<String> problems = new ArrayList<>();
        Map<Matched, Plan> found = new LinkedHashMap<>();
        Map<Method, Plan> read = reader.readAll(resourceClass, ResourceMethods.of(resourceClass, method), problems);
        read.forEach((each, plan) -> found.put(new Matched(resourceClass, each), plan));
        if (!problems.isEmpty()) {
            throw new RateLimitDeploymentException(problems.stream().distinct().toList());
        }
        boolean isNew = !plans.keySet().containsAll(found.keySet());
        if (isNew) {
            endpoints.shown(resourceClass, List.copyOf(read.keySet()));
        }
        plans.putAll(found);
        if (isNew) {
            PlanTable.of(resourceClass.getName(), List.copyOf(read.values()))
                    .ifPresent(table -> LOG.log(System.Logger.Level.INFO, table));
            DeclarationWarnings.of(resourceClass, read)
                    .forEach(warning -> LOG.log(System.Logger.Level.WARNING, warning));
        }
        return found.get(new Matched(resourceClass, method));
    }
}
