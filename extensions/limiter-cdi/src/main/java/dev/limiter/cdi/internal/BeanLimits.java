package dev.limiter.cdi.internal;

import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.bootstrap.ApplicationRuntime;
import dev.limiter.jaxrs.internal.declaration.DeclarationWarnings;
import dev.limiter.jaxrs.internal.declaration.PlanReader;
import dev.limiter.jaxrs.internal.declaration.PlanTable;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.jaxrs.internal.policy.Plan;
import dev.limiter.jaxrs.internal.request.RequestServices;
import dev.limiter.jaxrs.internal.settings.SettingsCheck;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The limits of all beans: read when the application starts, then looked up. */
@ApplicationScoped
class BeanLimits {
    private static final System.Logger LOG = System.getLogger("dev.limiter.plan");

    private final LimitedClasses classes;
    private final Lazy<ApplicationRuntime> runtime;
    private final Lazy<Map<Class<?>, Map<Method, LimitedMethod>>> limits = new Lazy<>(this::read);

    /** For the proxy. */
    BeanLimits() {
        this(null, null);
    }

    /** @param runtime that of the application, which Jakarta REST has, too */
    @Inject
    BeanLimits(LimitedClasses classes, Instance<ApplicationRuntime> runtime) {
        this.classes = classes;
        this.runtime = new Lazy<>(() -> runtime.get());
    }

    /**
     * Puts the limits in force.
     *
     * @throws RateLimitDeploymentException with all that is wrong
     */
    void start(@Observes Startup event) {
        limits.get();
    }

    /**
     * A method with its limits; null if it has none.
     *
     * @param instance its class, which may be one that the container has derived
     */
    LimitedMethod of(Class<?> instance, Method method) {
        Class<?> bean = instance;
        while (bean != null && !limits.get().containsKey(bean)) {
            bean = bean.getSuperclass();
        }
        return limits.get().getOrDefault(bean, Map.of()).get(method);
    }

    RequestServices services() {
        return runtime.get().requests();
    }

    private Map<Class<?>, Map<Method, LimitedMethod>> read() {
        Map<Class<?>, Map<Method, LimitedMethod>> all = new HashMap<>();
        if (classes.types().isEmpty()) {
            return all;
        }
        PlanReader reader = PlanReader.ofCalls(runtime.get().policies(), true);
        Map<Class<?>, Map<Method, Plan>> plans = new HashMap<>();
        List<String> problems = new ArrayList<>();
        classes.types().forEach(type -> plans.put(type, new LimitedBean(type).plans(reader, problems)));
        SettingsCheck.refuse(problems);
        runtime.get().policies().askForCallers();
        runtime.get().prepareLimits();
        for (Class<?> type : classes.types()) {
            Map<Method, LimitedMethod> methods = new HashMap<>();
            plans.get(type).forEach((method, plan) -> methods.put(method, LimitedMethod.of(method, plan)));
            all.put(type, methods);
            log(type, List.copyOf(plans.get(type).values()));
        }
        return all;
    }

    private static void log(Class<?> type, List<Plan> plans) {
        PlanTable.of(type.getName(), plans).ifPresent(table -> LOG.log(System.Logger.Level.INFO, table));
        DeclarationWarnings.of(plans).forEach(warning -> LOG.log(System.Logger.Level.WARNING, warning));
    }
}
