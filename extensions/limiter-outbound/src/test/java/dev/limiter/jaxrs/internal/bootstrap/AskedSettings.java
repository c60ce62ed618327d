package dev.limiter.jaxrs.internal.bootstrap;

import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.limiter.OnStoreFailure;
import dev.limiter.Policy;
import dev.limiter.internal.algorithm.PolicyMembers;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.policy.DeclaredWindow;
import dev.limiter.jaxrs.internal.policy.PolicyDeclaration;
import dev.limiter.jaxrs.internal.policy.PolicyOverrides;
import dev.limiter.jaxrs.internal.settings.SettingsCheck;
import dev.limiter.jaxrs.internal.settings.WatchedFile;
import dev.limiter.operations.LimitsResource;
import dev.limiter.outbound.internal.OutboundPolicy;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Setting;
import dev.limiter.spi.Settings;
import jakarta.ws.rs.container.ResourceInfo;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Settings that record the names that the code asks for. */
public final class AskedSettings implements Settings {
    /** An annotation's policy with everything that configuration can change. */
    private static final PolicyDeclaration BUYER = new PolicyDeclaration(
            PolicyMembers.of("buyer", TOKEN_BUCKET, 5),
            DeclaredWindow.of(Duration.ofSeconds(10)),
            Map.of("gold", new PolicyDeclaration.TierDeclaration(50, 0, false)),
            false);

    private static final Policy CARRIER =
            Policy.of("carrier", TOKEN_BUCKET, 5, Duration.ofSeconds(10)).whenStoreFails(OnStoreFailure.CLOSED);

    private static final ResourceInfo UNPROTECTED = new ResourceInfo() {
        @Override
        public Method getResourceMethod() {
            return LimitsResource.class.getDeclaredMethods()[0];
        }

        @Override
        public Class<?> getResourceClass() {
            return LimitsResource.class;
        }
    };

    private final Settings settings;
    private final Set<String> asked = new TreeSet<>();

    AskedSettings(Settings settings) {
        this.settings = settings;
    }

    @Override
    public Optional<String> value(String name) {
        if (!isChecked()) {
            asked.add(name);
        }
        return settings.value(name);
    }

    /**
     * Whether the check of all data sheets asks, which it does of a setting that has no use, too.
     */
    private static boolean isChecked() {
        return StackWalker.getInstance()
                .walk(frames -> frames.dropWhile(frame -> !frame.getClassName().equals(Setting.class.getName()))
                        .dropWhile(frame -> frame.getClassName().equals(Setting.class.getName()))
                        .findFirst()
                        .filter(frame -> frame.getClassName().equals(SettingsCheck.class.getName())
                                && frame.getMethodName().equals("problems"))
                        .isPresent());
    }

    @Override
    public Iterable<String> names() {
        return settings.names();
    }

    /**
     * All names that an application asks for. It has these settings, a policy {@code buyer} in
     * an annotation, and calls to a carrier.
     *
     * @throws InvalidSettingException if one cannot be used
     */
    public static Set<String> askedBy(Settings settings) {
        AskedSettings noting = new AskedSettings(settings);
        try (ApplicationRuntime runtime =
                new ApplicationRuntime(WatchedFile.over(noting), ServerContext.ofServlets("/zoo", () -> {}))) {
            new PolicyOverrides(BUYER.name(), noting, Policy.DEFAULT_LEASE, true).over(BUYER);
            runtime.prepare();
            deployUnprotected(runtime.operations());
            OutboundPolicy.given(CARRIER, noting, System::nanoTime);
        }
        return noting.asked;
    }

    /** Asks who may operate, and finds no role. */
    private static void deployUnprotected(Operations operations) {
        assertThatThrownBy(() -> operations.configure(UNPROTECTED, null))
                .isInstanceOf(RateLimitDeploymentException.class);
    }
}
