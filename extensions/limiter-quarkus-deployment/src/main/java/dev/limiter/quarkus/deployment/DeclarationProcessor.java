package dev.limiter.quarkus.deployment;

import dev.limiter.Policy;
import dev.limiter.RateLimited;
import dev.limiter.Stage;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.RateLimits;
import dev.limiter.jaxrs.internal.declaration.DeclarationWarnings;
import dev.limiter.jaxrs.internal.declaration.EarlyValidator;
import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import dev.limiter.jaxrs.internal.settings.MicroProfileSettings;
import dev.limiter.jaxrs.internal.settings.Modules;
import dev.limiter.jaxrs.internal.settings.RestProperties;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Settings;
import io.quarkus.arc.deployment.ValidationPhaseBuildItem.ValidationErrorBuildItem;
import io.quarkus.deployment.Capabilities;
import io.quarkus.deployment.Capability;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.builditem.ApplicationArchivesBuildItem;
import io.quarkus.deployment.builditem.CombinedIndexBuildItem;
import io.quarkus.resteasy.reactive.common.deployment.ApplicationResultBuildItem;
import io.quarkus.resteasy.reactive.common.deployment.ResourceScanningResultBuildItem;
import io.quarkus.vertx.http.runtime.VertxHttpBuildTimeConfig;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationTarget;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.DotName;

/** Finds the classes of an application that carry limits, and fails the build if one is wrong. */
class DeclarationProcessor {
    private static final System.Logger LOG = System.getLogger("dev.limiter.plan");

    @BuildStep
    ResourcesBuildItem resources(
            CombinedIndexBuildItem index,
            ApplicationArchivesBuildItem archives,
            ApplicationResultBuildItem application,
            Optional<ResourceScanningResultBuildItem> scanned) {
        ClassInfo selected = application.getResult().getSelectedAppClass();
        DotName type = selected == null ? DotName.createSimple(Application.class) : selected.name();
        Set<DotName> roots = scanned.map(
                        all -> all.getResult().getScannedResources().keySet())
                .orElse(Set.of());
        Set<DotName> others = scanned.map(
                        all -> all.getResult().getPossibleSubResources().keySet())
                .orElse(Set.of());
        Stream<DotName> annotated = Stream.of(RateLimited.class, RateLimited.List.class)
                .flatMap(annotation -> index.getIndex().getAnnotations(annotation).stream())
                .map(limit -> carrier(limit.target()));
        Set<DotName> names = new LinkedHashSet<>(roots);
        names.addAll(others);
        annotated.forEach(names::add);
        names.add(type);
        Set<DotName> requests = scanned.map(
                        all -> all.getResult().getHttpAnnotationToMethod().keySet())
                .orElse(Set.of());
        boolean hasLocators = index.getIndex().getAnnotations(Path.class).stream()
                .map(AnnotationInstance::target)
                .anyMatch(target -> target.kind() == AnnotationTarget.Kind.METHOD
                        && requests.stream().noneMatch(target.asMethod()::hasAnnotation));
        boolean asksInCode = archives.getAllApplicationArchives().stream()
                .filter(archive -> archive == archives.getRootArchive()
                        || !archive.getKey().getGroupId().equals("dev.limiter"))
                .anyMatch(archive ->
                        !archive.getIndex().getKnownUsers(RateLimits.class).isEmpty());
        return new ResourcesBuildItem(
                loaded(Set.of(type)).iterator().next(), loaded(roots), loaded(names), hasLocators, asksInCode);
    }

    private static DotName carrier(AnnotationTarget target) {
        return target.kind() == AnnotationTarget.Kind.CLASS
                ? target.asClass().name()
                : target.asMethod().declaringClass().name();
    }

    /** The classes that can be loaded; others name types that do not exist, so nothing uses them. */
    private static Set<Class<?>> loaded(Set<DotName> names) {
        Set<Class<?>> classes = new LinkedHashSet<>();
        for (DotName name : names) {
            try {
                Class<?> type = Class.forName(
                        name.toString(), false, Thread.currentThread().getContextClassLoader());
                ResourcesBuildItem.limits(type);
                classes.add(type);
            } catch (ClassNotFoundException | LinkageError | TypeNotPresentException unusable) {
                LOG.log(System.Logger.Level.DEBUG, "Limits of {0} are not read: {1}", name, unusable);
            }
        }
        return classes;
    }

    @BuildStep
    void check(
            ResourcesBuildItem resources,
            Capabilities capabilities,
            VertxHttpBuildTimeConfig http,
            BuildProducer<ValidationErrorBuildItem> errors) {
        boolean proactive =
                capabilities.isPresent(Capability.SECURITY) && http.auth().proactive();
        try {
            Settings settings = settings();
            PolicyRegistry policies = new PolicyRegistry(settings, Policy.DEFAULT_LEASE, System::nanoTime);
            new EarlyValidator(settings, policies).check(resources.answering(), resources.classes);
            if (!Platform.isPresent("dev.limiter.cdi.internal.BeanLimitsExtension")) { // which limits beans
                resources.classes.forEach(type -> DeclarationWarnings.ofBean(type)
                        .ifPresent(warning -> LOG.log(System.Logger.Level.WARNING, warning)));
            }
            List<String> problems = new ArrayList<>(resources.standIns());
            if (proactive) {
                problems.addAll(early(resources.limits()));
            }
            if (!problems.isEmpty()) {
                throw new RateLimitDeploymentException(problems);
            }
            if (capabilities.isPresent(Capability.SECURITY)) {
                resources.subResources().forEach(DeclarationProcessor::warnOfLocators);
            }
            if (Modules.isOperated()) {
                throw new RateLimitDeploymentException(
                        List.of("limiter-operations does not run on Quarkus, so nobody could use it; remove it"));
            }
        } catch (RateLimitDeploymentException wrong) {
            errors.produce(new ValidationErrorBuildItem(wrong));
        }
    }

    /**
     * The settings as far as the build knows them. Some may need a variable of the machine that
     * runs the application; the start checks them all.
     */
    private static Settings settings() {
        try {
            Settings settings = MicroProfileSettings.ofApplication(RestProperties.NONE);
            new PolicyRegistry(settings, Policy.DEFAULT_LEASE, System::nanoTime);
            return settings;
        } catch (InvalidSettingException | RateLimitDeploymentException unknown) {
            return new NoSettings();
        }
    }

    private record NoSettings() implements Settings {
        @Override
        public Optional<String> value(String name) {
            return Optional.empty();
        }

        @Override
        public Iterable<String> names() {
            return List.of();
        }
    }

    /** Quarkus checks the annotations of a locator before it matches what the locator returns. */
    private static void warnOfLocators(Class<?> subResource) {
        if (!early(ResourcesBuildItem.limits(subResource)).isEmpty()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Limits of {0} before authentication do not count what security annotations on its locators, or"
                            + " on their classes, refuse; write these annotations on its own methods",
                    subResource.getName());
        }
    }

    /** What is wrong with limits that Quarkus would decide too late. */
    private static List<String> early(Map<String, Set<RateLimited>> limits) {
        return limits.entrySet().stream()
                .flatMap(each -> each.getValue().stream()
                        .map(RateLimited::stage)
                        .filter(stage -> stage != Stage.AFTER_AUTHENTICATION)
                        .map(stage -> "@RateLimited.stage on " + each.getKey() + ": " + stage
                                + " cannot count wrong passwords, which Quarkus refuses before any limit; set"
                                + " quarkus.http.auth.proactive=false, or leave the stage out"))
                .toList();
    }
}
