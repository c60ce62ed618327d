package dev.limiter.jaxrs.internal.servlet;

import dev.limiter.RateLimited;
import dev.limiter.RateLimiter;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.bootstrap.ApplicationRuntime;
import dev.limiter.jaxrs.internal.bootstrap.ServerContext;
import dev.limiter.jaxrs.internal.cdi.LimiterExtension;
import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.jaxrs.internal.settings.SettingNames;
import dev.limiter.spi.InvalidSettingException;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.HandlesTypes;
import jakarta.servlet.http.HttpServlet;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Starts the limiter in a web application: the runtime, a filter around all requests, and a
 * listener that closes what CDI does not close. It is an initializer, since servers ignore
 * annotated listeners and filters if a web.xml calls itself complete.
 */
@HandlesTypes({Path.class, Application.class, HttpServlet.class, RateLimited.class, RateLimited.List.class})
public final class ServletInitializer implements ServletContainerInitializer {
    private static final String DEPLOYMENT = "dev.limiter.deployment";
    private static final String OPEN = "dev.limiter.open";
    private static final String FILTER = "dev.limiter";

    /** For the servlet container. */
    public ServletInitializer() {}

    @Override
    public void onStartup(Set<Class<?>> mayBeLimited, ServletContext application) throws ServletException {
        Queue<RateLimiter> open = new ConcurrentLinkedQueue<>();
        application.setAttribute(OPEN, open);
        Set<Class<?>> own = new HashSet<>(mayBeLimited == null ? Set.of() : mayBeLimited);
        // Containers also show classes of their own class path; an annotation that carries
        // limits is checked at its uses.
        own.removeIf(type -> type.getClassLoader() != application.getClassLoader() || type.isAnnotation());
        ApplicationRuntime runtime = checked(application, own, mayBeLimited == null ? Set.of() : mayBeLimited);
        FilterRegistration.Dynamic filter = application.addFilter(FILTER, filter(runtime, own));
        if (filter != null) { // otherwise it is there already: the container found the initializer twice
            filter.setAsyncSupported(true);
            // Before all other filters, to see the end of their work. A request that is
            // forwarded, or dispatched asynchronously, meets the limits of its new servlet.
            filter.addMappingForUrlPatterns(
                    EnumSet.of(DispatcherType.REQUEST, DispatcherType.FORWARD, DispatcherType.ASYNC), false, "/*");
        }
        application.addListener(new ServletContextListener() {
            @Override
            public void contextDestroyed(ServletContextEvent event) {
                runtime.close();
                open.forEach(RateLimiter::close);
            }
        });
    }

    /**
     * The checked runtime. An exception of an initializer fails the application on every server,
     * so mistakes are looked for here.
     */
    private static ApplicationRuntime checked(ServletContext application, Set<Class<?>> own, Set<Class<?>> others)
            throws ServletException {
        try {
            ApplicationRuntime runtime = of(application);
            try {
                runtime.check()
                        .checkContextParameters(Collections.list(application.getInitParameterNames()).stream()
                                .filter(name -> name.startsWith(SettingNames.PREFIX))
                                .toList());
                runtime.check().check(own, others);
            } catch (InvalidSettingException | RateLimitDeploymentException wrong) {
                runtime.failure().failed(wrong);
                throw wrong;
            }
            return runtime;
        } catch (InvalidSettingException | RateLimitDeploymentException wrong) {
            throw new ServletException(wrong.getMessage(), wrong); // the exception that an initializer may throw
        }
    }

    /**
     * The runtime of a web application; made here if its container did not run the initializer.
     */
    public static synchronized ApplicationRuntime of(ServletContext application) {
        if (application.getAttribute(DEPLOYMENT) instanceof ApplicationRuntime known) {
            return known;
        }
        String path = application.getContextPath();
        ApplicationRuntime runtime = ApplicationRuntime.ofApplication(
                ServerContext.ofServlets(path, limiter -> closeWith(application, limiter), () -> {
                    if (Platform.hasCdi()) {
                        LimiterExtension.tellContextPath(path);
                    }
                }));
        application.setAttribute(DEPLOYMENT, runtime);
        return runtime;
    }

    /**
     * The filter around all requests of a web application.
     *
     * @param classes of the application that may carry limits
     */
    public static ServletLifecycleFilter filter(ApplicationRuntime runtime, Set<Class<?>> classes) {
        ServletResponses responses = new ServletResponses(runtime.headers());
        ServletAdmission admission = new ServletAdmission(
                runtime.policies(), runtime.evaluator(), runtime.addresses(), runtime.problems(), responses);
        return new ServletLifecycleFilter(
                config -> {
                    runtime.check().checkBeans(classes);
                    return ServletPlans.of(
                            config.getServletContext(), runtime.policies(), runtime.contracts(), runtime::prepare);
                },
                runtime.requests(),
                admission,
                runtime.problems(),
                responses,
                runtime.failure());
    }

    /** Closes a limiter together with the application. */
    @SuppressWarnings("unchecked") // the attribute is ours
    private static void closeWith(ServletContext application, RateLimiter limiter) {
        if (application.getAttribute(OPEN) instanceof Queue<?> open) {
            ((Queue<RateLimiter>) open).add(limiter);
        }
    }
}
