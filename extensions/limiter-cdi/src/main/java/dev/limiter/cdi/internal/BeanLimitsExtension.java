package dev.limiter.cdi.internal;

import dev.limiter.Policy;
import dev.limiter.RateLimited;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.declaration.DeclarationWarnings;
import dev.limiter.jaxrs.internal.declaration.PlanReader;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import dev.limiter.jaxrs.internal.settings.MicroProfileSettings;
import dev.limiter.jaxrs.internal.settings.RestProperties;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Settings;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.build.compatible.spi.BeanInfo;
import jakarta.enterprise.inject.build.compatible.spi.BuildCompatibleExtension;
import jakarta.enterprise.inject.build.compatible.spi.ClassConfig;
import jakarta.enterprise.inject.build.compatible.spi.Discovery;
import jakarta.enterprise.inject.build.compatible.spi.Enhancement;
import jakarta.enterprise.inject.build.compatible.spi.Messages;
import jakarta.enterprise.inject.build.compatible.spi.MetaAnnotations;
import jakarta.enterprise.inject.build.compatible.spi.Registration;
import jakarta.enterprise.inject.build.compatible.spi.ScannedClasses;
import jakarta.enterprise.inject.build.compatible.spi.Synthesis;
import jakarta.enterprise.inject.build.compatible.spi.SyntheticComponents;
import jakarta.enterprise.inject.build.compatible.spi.Validation;
import jakarta.enterprise.lang.model.types.Type;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the beans that have limits, has {@link LimitInterceptor} see their calls, and fails the
 * deployment if a limit is wrong or would never be asked.
 */
public class BeanLimitsExtension implements BuildCompatibleExtension {
    private static final System.Logger LOG = System.getLogger("dev.limiter.plan");

    /** The classes with limits on calls, of which an interceptor sees the calls. */
    private final Map<String, Class<?>> limited = new TreeMap<>();

    private final Set<String> beans = new HashSet<>();
    private final List<String> problems = new ArrayList<>();

    /** For CDI. */
    public BeanLimitsExtension() {}

    @Discovery
    public void discover(ScannedClasses classes, MetaAnnotations annotations) {
        annotations.addInterceptorBinding(LimitedCalls.class);
        classes.add(BeanLimits.class.getName());
        classes.add(LimitInterceptor.class.getName());
    }

    @Enhancement(types = Object.class, withSubtypes = true, withAnnotations = Annotation.class)
    public void enhance(ClassConfig config) {
        try {
            enhance(config, load(config.info().name()));
        } catch (LinkageError | TypeNotPresentException unusable) {
            // The class names types that do not exist, so CDI makes no bean of it.
        } catch (ClassNotFoundException hidden) {
            if (config.info().hasAnnotation(RateLimited.class)
                    || config.info().methods().stream().anyMatch(each -> each.hasAnnotation(RateLimited.class))) {
                problems.add("@RateLimited on " + config.info().simpleName() + ": the class loader of the limiter does"
                        + " not find the class; add limiter-cdi to the archive that has it");
            }
        }
    }

    private void enhance(ClassConfig config, Class<?> type) {
        LimitedBean bean = new LimitedBean(type);
        if (Modifier.isAbstract(type.getModifiers())) {
            return;
        }
        if (bean.isLimited() && DeclarationWarnings.isForCalls(type)) {
            Set<String> names = bean.methods().stream().map(Method::getName).collect(Collectors.toSet());
            limited.put(type.getName(), type);
            bind(config, names);
        } else if (bean.isLimited()) {
            warn(type);
        }
    }

    /** Warns of limits that neither requests nor calls meet. */
    private static void warn(Class<?> type) {
        DeclarationWarnings.ofBean(type).ifPresent(warning -> LOG.log(System.Logger.Level.WARNING, warning));
    }

    private static boolean isAnnotated(AnnotatedElement element, String annotation) {
        return Stream.of(element.getAnnotations())
                .anyMatch(each -> each.annotationType().getName().equals(annotation));
    }

    /** Has the interceptor see some methods, as far as CDI can intercept them. */
    private static void bind(ClassConfig config, Set<String> names) {
        int never = Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL | Modifier.ABSTRACT;
        if (!config.info().isFinal()) {
            config.methods().stream()
                    .filter(method -> (method.info().modifiers() & never) == 0
                            && names.contains(method.info().name()))
                    .forEach(method -> method.addAnnotation(LimitedCalls.class));
        }
    }

    /** Takes the beans that CDI makes itself. It intercepts no calls of what others make. */
    @Registration(types = Object.class)
    public void register(BeanInfo bean) {
        if (bean.isClassBean()) {
            beans.add(bean.declaringClass().name());
            return;
        }
        for (Type type : bean.types()) {
            if (type.isClass() && isLimited(type.asClass().declaration().name())) {
                problems.add("@RateLimited on " + type.asClass().declaration().simpleName() + ": a bean of "
                        + bean.declaringClass().simpleName() + " is made by code, so CDI intercepts no call of it; let"
                        + " CDI make it, by a scope on its class, or ask RateLimiter in code");
            }
        }
    }

    private static boolean isLimited(String name) {
        try {
            Class<?> type = load(name);
            return new LimitedBean(type).isLimited() && DeclarationWarnings.isForCalls(type);
        } catch (ClassNotFoundException | LinkageError | TypeNotPresentException foreign) {
            return false;
        }
    }

    @Synthesis
    public void synthesize(SyntheticComponents components) {
        components
                .addBean(LimitedClasses.class)
                .type(LimitedClasses.class)
                .scope(Dependent.class)
                .withParam(LimitedClasses.PARAMETER, limited.values().toArray(Class<?>[]::new))
                .createWith(LimitedClasses.Creator.class);
    }

    @Validation
    public void validate(Messages messages) {
        PlanReader reader = PlanReader.ofCalls(policies(), false);
        limited.values().forEach(type -> {
            LimitedBean bean = new LimitedBean(type);
            bean.reportMissed(problems);
            bean.plans(reader, problems);
            if (!beans.contains(type.getName()) && !isAnnotated(type, "jakarta.ejb.MessageDriven")) {
                warn(type);
            }
        });
        problems.stream().distinct().forEach(messages::error);
    }

    /**
     * Policies that are never in force. Settings that cannot be used here, such as those of another
     * machine at the build, are reported when the application starts.
     */
    private static PolicyRegistry policies() {
        try {
            return policies(MicroProfileSettings.ofApplication(RestProperties.NONE));
        } catch (InvalidSettingException | RateLimitDeploymentException unusable) {
            return policies(name -> Optional.empty());
        }
    }

    private static PolicyRegistry policies(Settings settings) {
        return new PolicyRegistry(settings, Policy.DEFAULT_LEASE, System::nanoTime);
    }

    /** A class of the application. In an archive of several, the thread may have another loader. */
    private static Class<?> load(String name) throws ClassNotFoundException {
        try {
            return Class.forName(name, false, Thread.currentThread().getContextClassLoader());
        } catch (ClassNotFoundException elsewhere) {
            return Class.forName(name, false, BeanLimitsExtension.class.getClassLoader());
        }
    }
}
