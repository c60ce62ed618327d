package dev.limiter.jaxrs.internal.servlet;

import dev.limiter.jaxrs.Endpoint;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.declaration.DeclarationWarnings;
import dev.limiter.jaxrs.internal.declaration.DeployedEndpoints;
import dev.limiter.jaxrs.internal.declaration.PlanReader;
import dev.limiter.jaxrs.internal.declaration.PlanTable;
import dev.limiter.jaxrs.internal.policy.Limit;
import dev.limiter.jaxrs.internal.policy.Plan;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServlet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reads the plans of the servlets whose class carries limits, at deployment. */
final class ServletPlans {
    private static final System.Logger LOG = System.getLogger("dev.limiter.plan");

    private ServletPlans() {}

    /**
     * The plans by the servlet's name.
     *
     * @param prepare makes what requests to limited servlets need
     * @throws RateLimitDeploymentException with every problem of every servlet
     */
    static Map<String, Plan> of(ServletContext application, PolicyRegistry policies, Runnable prepare) {
        PlanReader reader = new PlanReader(policies, Object.class);
        Map<String, Plan> plans = new HashMap<>();
        List<String> problems = new ArrayList<>();
        application.getServletRegistrations().forEach((name, servlet) -> {
            Plan plan = reader.read(limitable(type(servlet, application)), problems);
            if (!plan.isEmpty()) {
                plans.put(name, plan);
                PlanTable.of(plan.endpoint(), List.of(plan))
                        .ifPresent(table -> LOG.log(System.Logger.Level.INFO, table));
            }
        });
        DeclarationWarnings.of(List.copyOf(plans.values()))
                .forEach(warning -> LOG.log(System.Logger.Level.WARNING, warning));
        if (!problems.isEmpty()) {
            throw new RateLimitDeploymentException(problems);
        }
        if (!plans.isEmpty()) {
            prepare.run();
        }
        return plans;
    }

    /**
     * The servlets as endpoints: those of the application's own, and those that carry limits or
     * an exemption. What the container and libraries bring cannot be annotated.
     */
    static List<Endpoint> endpoints(ServletContext application, PolicyRegistry inForce) {
        PolicyRegistry policies = inForce.another();
        PlanReader reader = new PlanReader(policies, Object.class);
        List<Endpoint> endpoints = new ArrayList<>();
        new TreeMap<>(application.getServletRegistrations()).forEach((name, servlet) -> {
            Class<?> type = type(servlet, application);
            Plan plan = reader.read(limitable(type), new ArrayList<>());
            boolean annotated = !plan.isEmpty() || PlanReader.isExempt(type);
            boolean mapped =
                    servlet.getMappings() != null && !servlet.getMappings().isEmpty();
            if (mapped && (annotated || type != Object.class && ServletMappings.isOwn(application, type))) {
                endpoints.add(new Endpoint(
                        "",
                        String.join(" ", new TreeSet<>(servlet.getMappings())),
                        type.getSimpleName(),
                        DeployedEndpoints.coverage(type, plan, policies),
                        plan.limits().stream().map(Limit::name).toList()));
            }
        });
        return endpoints;
    }

    /** A class that is no HttpServlet has no limits. */
    private static Class<?> limitable(Class<?> servlet) {
        return HttpServlet.class.isAssignableFrom(servlet) ? servlet : Object.class;
    }

    private static Class<?> type(ServletRegistration servlet, ServletContext application) {
        try {
            return Class.forName(servlet.getClassName(), false, ServletInitializer.loaderOfWar(application));
        } catch (ClassNotFoundException | LinkageError | RuntimeException notLoaded) {
            return Object.class; // a JSP, or a servlet of the container's own
        }
    }
}
