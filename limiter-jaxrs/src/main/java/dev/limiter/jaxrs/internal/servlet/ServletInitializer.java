package dev.limiter.jaxrs.internal.servlet;

import dev.limiter.RateLimited;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.bootstrap.ApplicationRuntime;
import dev.limiter.jaxrs.internal.bootstrap.DeploymentFailure;
import dev.limiter.jaxrs.internal.bootstrap.LimiterExtension;
import dev.limiter.jaxrs.internal.bootstrap.ServerContext;
import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.jaxrs.internal.policy.Plan;
import dev.limiter.jaxrs.internal.settings.RestProperties;
import dev.limiter.jaxrs.internal.settings.SettingNames;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.annotation.HandlesTypes;
import jakarta.servlet.http.HttpServlet;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import java.net.MalformedURLException;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Starts the limiter in a web application: the runtime, a filter around all requests, and a
 * listener that closes what CDI does not close. It is an initializer, since servers ignore
 * annotated listeners and filters if a web.xml calls itself complete.
 */
@HandlesTypes({Path.class, Application.class, HttpServlet.class, RateLimited.class, RateLimited.List.class})
public final class ServletInitializer implements ServletContainerInitializer {
    private static final String FAILURE = "dev.limiter.failure";
    private static final String INITIALIZED = "dev.limiter.initialized";
    private static final String FILTER = "dev.limiter";
    private static final EnumSet<DispatcherType> DISPATCHES =
            EnumSet.of(DispatcherType.REQUEST, DispatcherType.FORWARD, DispatcherType.ASYNC);
    private static final Pattern JAR = Pattern.compile("/([^/!]+\\.jar)[!/]+dev/limiter/");

    /** For the servlet container. */
    public ServletInitializer() {}

    @Override
    public void onStartup(Set<Class<?>> mayBeLimited, ServletContext application) throws ServletException {
        application.setAttribute(INITIALIZED, true);
        Set<Class<?>> own = new HashSet<>(mayBeLimited == null ? Set.of() : mayBeLimited);
        // Containers also show classes of their own class path; an annotation that carries
        // limits is checked at its uses.
        ClassLoader war = loaderOfWar(application);
        own.removeIf(type -> type.getClassLoader() != war || type.isAnnotation());
        ApplicationRuntime runtime;
        Set<Class<?>> limitedServlets;
        try {
            runtime = of(application);
            limitedServlets = checked(runtime, application, own, mayBeLimited == null ? Set.of() : mayBeLimited);
        } catch (RuntimeException | Error wrong) {
            // Open Liberty goes on without it.
            failure(application).failed(wrong);
            registerFirst(application, new RefusingFilter(failure(application)));
            throw new ServletException(wrong.getMessage(), wrong); // what an initializer may throw
        }
        ServletLifecycleFilter first = filter(runtime, own);
        registerFirst(application, first);
        registerLast(application, first, limitedServlets);
        application.addListener(new ServletContextListener() {
            /** WildFly starts filters with the first request, too late to refuse the deployment. */
            @Override
            public void contextInitialized(ServletContextEvent event) {
                try {
                    tellBeans(application);
                    runtime.validator().checkBeans(own);
                    if (!limitedServlets.isEmpty()) {
                        runtime.prepare();
                    }
                } catch (RuntimeException | Error wrong) {
                    runtime.failure().failed(wrong);
                    throw wrong;
                }
            }

            @Override
            public void contextDestroyed(ServletContextEvent event) {
                runtime.close();
            }
        });
    }

    /**
     * Registers the filter before all other filters, to see the end of their work. A request that
     * is forwarded, or dispatched asynchronously, meets the limits of its new servlet.
     */
    private static void registerFirst(ServletContext application, Filter filter) {
        FilterRegistration.Dynamic first = add(application, FILTER, filter);
        if (first != null) {
            first.addMappingForUrlPatterns(DISPATCHES, false, "/*");
        }
    }

    /**
     * Registers the filters after all other filters, where the caller is known. Filters by a
     * servlet's name run after those by path, whenever those are added. A servlet that is not
     * registered yet meets a filter by path.
     */
    private static void registerLast(
            ServletContext application, ServletLifecycleFilter first, Set<Class<?>> limitedServlets) {
        Set<String> classes = limitedServlets.stream().map(Class::getName).collect(Collectors.toSet());
        Set<String> known = application.getServletRegistrations().values().stream()
                .filter(servlet -> classes.contains(servlet.getClassName()))
                .map(ServletRegistration::getName)
                .collect(Collectors.toUnmodifiableSet());
        for (String servlet : known) {
            FilterRegistration.Dynamic last = add(application, FILTER + " before " + servlet, first.last(servlet));
            if (last != null) {
                last.addMappingForServletNames(DISPATCHES, true, servlet);
            }
        }
        FilterRegistration.Dynamic ofOthers = add(application, FILTER + " before servlets", first.last(known));
        if (ofOthers != null) {
            ofOthers.addMappingForUrlPatterns(DISPATCHES, true, "/*");
        }
    }

    /** Adds a filter. Null if it is there: the container found the initializer twice. */
    private static FilterRegistration.Dynamic add(ServletContext application, String name, Filter filter) {
        FilterRegistration.Dynamic added = application.addFilter(name, filter);
        if (added != null) {
            added.setAsyncSupported(true);
        }
        return added;
    }

    /**
     * Looks for mistakes, since all servers but one refuse an application whose initializer
     * throws. Returns the servlets that have limits.
     */
    private static Set<Class<?>> checked(
            ApplicationRuntime runtime, ServletContext application, Set<Class<?>> own, Set<Class<?>> others) {
        runtime.validator()
                .checkContextParameters(Collections.list(application.getInitParameterNames()).stream()
                        .filter(name -> name.startsWith(SettingNames.PREFIX))
                        .toList());
        Set<Class<?>> limited = runtime.validator().check(own, others);
        runtime.found(own, ServletPlans.endpoints(application, runtime.policies()));
        return limited;
    }

    /** The runtime of a web application, before Jakarta REST tells its properties. */
    public static ApplicationRuntime of(ServletContext application) {
        return of(application, RestProperties.NONE);
    }

    /**
     * The runtime of a web application; made here if its container did not run the initializer.
     *
     * @param properties of Jakarta REST, which are too late for a runtime that is there
     */
    static synchronized ApplicationRuntime of(ServletContext application, RestProperties properties) {
        if (application.getAttribute(LimiterExtension.RUNTIME) instanceof ApplicationRuntime known) {
            known.requireNotLate(properties);
            return known;
        }
        requireOwnCopy(application);
        ApplicationRuntime runtime = ApplicationRuntime.ofApplication(
                ServerContext.ofServlets(
                        application.getContextPath(),
                        () -> tellBeans(application),
                        type -> ServletMappings.ofApplication(application, type)),
                properties,
                failure(application));
        application.setAttribute(LimiterExtension.RUNTIME, runtime);
        return runtime;
    }

    /** Whether the container has run the initializer, whose listener closes the runtime. */
    static boolean hasRun(ServletContext application) {
        return application.getAttribute(INITIALIZED) != null;
    }

    /**
     * Refuses limits of servlets that no filter decides, because the container has not run the
     * initializer. Jakarta REST starts all the same.
     */
    public static void requireFilters(ServletContext application, ApplicationRuntime runtime) {
        List<String> problems = hasRun(application)
                ? List.of()
                : ServletPlans.endpoints(application, runtime.policies()).stream()
                        .filter(servlet -> !servlet.limits().isEmpty())
                        .map(servlet -> "@RateLimited on " + servlet.handler()
                                + " has no effect: the servlet container has not run"
                                + " the initializer of limiter-jaxrs; add <others/> to the <absolute-ordering> in web.xml,"
                                + " or limit a resource instead")
                        .toList();
        if (!problems.isEmpty()) {
            RateLimitDeploymentException wrong = new RateLimitDeploymentException(problems);
            failure(application).failed(wrong);
            throw wrong;
        }
    }

    /** Tells CDI of the limits, if it has started. */
    private static void tellBeans(ServletContext application) {
        if (Platform.hasCdi()
                && application.getAttribute(LimiterExtension.RUNTIME) instanceof ApplicationRuntime runtime) {
            LimiterExtension.tell(application.getContextPath(), runtime);
        }
    }

    /**
     * Refuses a library that web applications share, as one of an EAR: it would not find the
     * beans of a WAR, and all WARs would have one name. A server inside of an application shares
     * the library's class loader.
     */
    private static void requireOwnCopy(ServletContext application) {
        ClassLoader library = ServletInitializer.class.getClassLoader();
        if (library != application.getClass().getClassLoader() && library != loaderOfWar(application)) {
            RateLimitDeploymentException shared = new RateLimitDeploymentException(
                    List.of("The limiter is not in the WAR \"" + application.getContextPath() + "\" but in " + library
                            + ", where WARs would share its name and its beans; put it into WEB-INF/lib of each WAR"));
            failure(application).failed(shared);
            throw shared;
        }
    }

    /**
     * The class loader of a WAR. Open Liberty's servlet context has another one, around that, so a
     * WAR that has the library is of the library's class loader. A context of an embedded Jetty may
     * have none: its classes are beside the library.
     */
    static ClassLoader loaderOfWar(ServletContext application) {
        ClassLoader here = ServletInitializer.class.getClassLoader();
        ClassLoader its = application.getClassLoader() == null ? here : application.getClassLoader();
        Matcher jar = JAR.matcher(String.valueOf(ServletInitializer.class.getResource("ServletInitializer.class")));
        try {
            return jar.find() && application.getResource("/WEB-INF/lib/" + jar.group(1)) != null ? here : its;
        } catch (MalformedURLException noName) {
            return its;
        }
    }

    /**
     * The filter around all requests of a web application.
     *
     * @param classes of the application that may carry limits
     */
    public static ServletLifecycleFilter filter(ApplicationRuntime runtime, Set<Class<?>> classes) {
        return new ServletLifecycleFilter(
                config -> {
                    tellBeans(config.getServletContext());
                    runtime.validator().checkBeans(classes);
                    Map<String, Plan> plans =
                            ServletPlans.of(config.getServletContext(), runtime.policies(), runtime::prepare);
                    runtime.endpoints()
                            .servlets(ServletPlans.endpoints(config.getServletContext(), runtime.policies()));
                    return plans;
                },
                runtime.requests(),
                runtime.failure());
    }

    /** Takes why the limits of a web application cannot be in force; one for each application. */
    private static synchronized DeploymentFailure failure(ServletContext application) {
        if (application.getAttribute(FAILURE) instanceof DeploymentFailure known) {
            return known;
        }
        DeploymentFailure made = new DeploymentFailure();
        application.setAttribute(FAILURE, made);
        return made;
    }
}
