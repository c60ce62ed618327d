package dev.limiter.cdi.internal;

import dev.limiter.Policy;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.declaration.DeclarationWarnings;
import dev.limiter.jaxrs.internal.declaration.PlanReader;
import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.jaxrs.internal.policy.DeclarationSite;
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
import jakarta.enterprise.lang.model.declarations.MethodInfo;
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
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the beans that have limits, has {@link LimitInterceptor} see their calls, and fails the
 * deployment if a limit is wrong or would never be asked.
 */
public class BeanLimitsExtension implements BuildCompatibleExtension {
    private static final System.Logger LOG = System.getLogger("dev.limiter.plan");

    private static final String TOOL = "io.quarkiverse.mcp.server.Tool";
    private static final boolean HAS_TOOLS = Platform.isPresent(TOOL);

    /** The classes with limits on calls, of which an interceptor sees the calls. */
    private final Map<String, Class<?>> limited = new TreeMap<>();

    private final Set<String> beans = new HashSet<>();
    private final List<String> problems = new ArrayList<>();

    /** For CDI. */
    public BeanLimitsExtension() {}

    @Discovery
    public void discover(ScannedClasses classes, MetaAnnotations annotations) {
        annotations.addInterceptorBinding(LimitedCalls.class);
        annotations.addInterceptorBinding(ToolCalls.class);
        classes.add(BeanLimits.class.getName());
        classes.add(LimitInterceptor.class.getName());
        if (HAS_TOOLS) {
            classes.add("dev.limiter.cdi.internal.ToolInterceptor");
        }
    }

    @Enhancement(types = Object.class, withSubtypes = true, withAnnotations = Annotation.class)
    public void enhance(ClassConfig config) {
        Class<?> type = load(config.info().name());
        if (type == null || Modifier.isAbstract(type.getModifiers())) {
            return;
        }
        LimitedBean bean = new LimitedBean(type);
        if (bean.isLimited()) {
            Set<String> names = bean.methods().stream().map(Method::getName).collect(Collectors.toSet());
            limited.put(type.getName(), type);
            bind(config, LimitedCalls.class, method -> names.contains(method.name()));
        } else {
            warn(type);
        }
        if (HAS_TOOLS && Stream.of(type.getMethods()).anyMatch(BeanLimitsExtension::isTool)) {
            bind(
                    config,
                    ToolCalls.class,
                    method -> method.hasAnnotation(each -> each.name().equals(TOOL)));
        }
    }

    /** Warns of limits that neither requests nor calls meet. */
    private static void warn(Class<?> type) {
        DeclarationWarnings.ofBean(type).ifPresent(warning -> LOG.log(System.Logger.Level.WARNING, warning));
    }

    /** Whether it is a component that CDI intercepts, though it is no bean. */
    private static boolean isMessageDriven(Class<?> type) {
        return isAnnotated(type, "jakarta.ejb.MessageDriven");
    }

    private static boolean isTool(Method method) {
        return isAnnotated(method, TOOL);
    }

    private static boolean isAnnotated(AnnotatedElement element, String annotation) {
        return Stream.of(element.getAnnotations())
                .anyMatch(each -> each.annotationType().getName().equals(annotation));
    }

    /** Has an interceptor see some methods, as far as CDI can intercept them. */
    private static void bind(
            ClassConfig config, Class<? extends Annotation> interceptor, Predicate<MethodInfo> wanted) {
        int never = Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL | Modifier.ABSTRACT;
        if (!config.info().isFinal()) {
            config.methods().stream()
                    .filter(method -> (method.info().modifiers() & never) == 0 && wanted.test(method.info()))
                    .forEach(method -> method.addAnnotation(interceptor));
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
            Class<?> made = type.isClass() ? load(type.asClass().declaration().name()) : null;
            if (made != null && new LimitedBean(made).isLimited()) {
                problems.add("@RateLimited on " + DeclarationSite.of(made).shortName() + ": a bean of "
                        + bean.declaringClass().simpleName() + " is made by code, so CDI intercepts no call of it; let"
                        + " CDI make it, by a scope on its class, or ask RateLimiter in code");
            }
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
            if (!beans.contains(type.getName()) && !isMessageDriven(type)) {
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

    /** A class of the application; null if it names types that do not exist, so that it is no bean. */
    private static Class<?> load(String name) {
        try {
            Class<?> type = Class.forName(name, false, Thread.currentThread().getContextClassLoader());
            type.getMethods();
            type.getDeclaredMethods();
            return type;
        } catch (ClassNotFoundException | LinkageError | TypeNotPresentException unusable) {
            return null;
        }
    }
}
