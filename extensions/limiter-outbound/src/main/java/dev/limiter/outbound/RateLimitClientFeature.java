package dev.limiter.outbound;

import dev.limiter.NotAdmittedException;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimitExceededException;
import dev.limiter.RateLimiter;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.bootstrap.ExtensionAccess;
import dev.limiter.outbound.internal.OutboundFilter;
import dev.limiter.outbound.internal.OutboundPolicy;
import dev.limiter.spi.Settings;
import jakarta.ws.rs.ConstrainedTo;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.RuntimeType;
import jakarta.ws.rs.client.ClientRequestContext;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Keeps the calls of a client within the limits of a partner, across all instances. It works in a
 * Jakarta REST {@code Client} and in MicroProfile REST clients.
 *
 * <pre>{@code
 * Client client = ClientBuilder.newClient().register(RateLimitClientFeature.of("carrier"));
 * }</pre>
 *
 * <p>Before a call starts, all its policies and their {@linkplain Policy#gate gates} are asked at
 * once. If one rejects, the call fails with {@link RateLimitExceededException}, or its thread is
 * held: for as long as {@link #holdingAtMost} says, or else for the longest {@code maxWait} of the
 * policies, whichever of them rejects. If a policy is {@code CLOSED} and the store gives no
 * answer, the call is not made. {@link #notAdmittedIn} finds both reasons in the exception of the
 * client.
 *
 * <ul>
 * <li>A partner that rejects closes the gates of the call's partition, in every instance, for at
 *     most an hour. It does so by a 403, 429 or 503 with {@code Retry-After}, or by any response
 *     with {@code RateLimit} (draft 11) of which an item has {@code r=0} and a {@code t}. If the
 *     store could not be told, it is told before the next call of that partition by this client.
 * <li>Calls are counted when they start, and limited when they arrive. So each window is longer
 *     than it was written by {@code limiter.outbound.delay-variation}, from 0 to 1 min, by default
 *     50 ms: see {@link Policy#withDelayVariation}.
 * <li>A {@code LEAKY_BUCKET} holds up to its own {@code maxWait}. The policies beside it are
 *     charged when the call gets its slot, up to {@code maxWait} before it starts. If the partner
 *     must never see more than the limit, declare their windows longer by that.
 * <li>Jakarta REST registers a class once for each client, so give all policies of a client to one
 *     feature.
 * </ul>
 */
@ConstrainedTo(RuntimeType.CLIENT)
public final class RateLimitClientFeature implements Feature {

    /** The last thing before a call, and the first thing after it. */
    private static final int NEAREST_TO_THE_CALL = Priorities.USER + 1_000;

    private final List<OutboundPolicy> policies;
    private final RateLimiter limiter;
    private final Function<ClientRequestContext, PartitionKey> key;
    private final Duration atMost;

    private RateLimitClientFeature(
            List<OutboundPolicy> policies,
            RateLimiter limiter,
            Function<ClientRequestContext, PartitionKey> key,
            Duration atMost) {
        this.policies = policies;
        this.limiter = limiter;
        this.key = key;
        this.atMost = atMost;
    }

    /**
     * {@return a feature of policies from configuration: {@code limiter.policy.carrier.key='all'},
     * {@code .algorithm}, {@code .limit}, {@code .window}} Their settings are read again while
     * calls are made.
     *
     * @param first the name of one policy
     * @param more the names of others that count the same calls
     * @throws dev.limiter.spi.InvalidSettingException if a policy is not declared, or cannot be
     *     used; if Redis holds the counts and a policy would be {@code OPEN} when it fails, or
     *     {@code LOCAL} while {@code limiter.expected-instances} is not set
     * @throws RateLimitDeploymentException if there are settings that nothing reads, and no
     *     services share them
     */
    public static RateLimitClientFeature of(String first, String... more) {
        return configured(ExtensionAccess.settings(), first, more);
    }

    static RateLimitClientFeature configured(Settings settings, String first, String... more) {
        ExtensionAccess.check(settings);
        return of(Stream.concat(Stream.of(first), Stream.of(more))
                .map(name -> OutboundPolicy.configured(name, settings, System::nanoTime)));
    }

    /**
     * {@return a feature of policies that your code makes} The settings for Redis, delays and
     * switching on apply to them, too.
     *
     * @param first one policy
     * @param more others that count the same calls
     * @throws dev.limiter.spi.InvalidSettingException if Redis holds the counts and a policy would
     *     be {@code OPEN} when it fails, or {@code LOCAL} while {@code limiter.expected-instances}
     *     is not set
     * @throws RateLimitDeploymentException if there are settings that nothing reads, and no
     *     services share them
     */
    public static RateLimitClientFeature of(Policy first, Policy... more) {
        return given(ExtensionAccess.settings(), first, more);
    }

    static RateLimitClientFeature given(Settings settings, Policy first, Policy... more) {
        ExtensionAccess.check(settings);
        return of(Stream.concat(Stream.of(first), Stream.of(more))
                .map(policy -> OutboundPolicy.given(policy, settings, System::nanoTime)));
    }

    private static RateLimitClientFeature of(Stream<OutboundPolicy> policies) {
        return new RateLimitClientFeature(policies.toList(), null, null, null);
    }

    /**
     * {@return the same feature, asking this limiter instead of the CDI bean}
     *
     * @param other the limiter, which you close yourself; never null
     */
    public RateLimitClientFeature using(RateLimiter other) {
        return new RateLimitClientFeature(policies, Objects.requireNonNull(other), key, atMost);
    }

    /**
     * {@return the same feature, with a partition for each key instead of one for all calls}
     *
     * @param computed the key of a call, such as the partner's account that it is made for; never
     *     null
     */
    public RateLimitClientFeature keyedBy(Function<ClientRequestContext, PartitionKey> computed) {
        return new RateLimitClientFeature(policies, limiter, Objects.requireNonNull(computed), atMost);
    }

    /**
     * {@return the same feature, holding a call until it is admitted, but not longer than this}
     * The {@code maxWait} of a {@code LEAKY_BUCKET} still applies.
     *
     * @param longest from zero, which rejects at once
     * @throws IllegalArgumentException if it is negative
     */
    public RateLimitClientFeature holdingAtMost(Duration longest) {
        if (longest.isNegative()) {
            throw new IllegalArgumentException("longest must not be negative, was " + longest);
        }
        return new RateLimitClientFeature(policies, limiter, key, longest);
    }

    /**
     * {@return why the limiter kept a call from being made; empty if the call failed for another
     * reason} It is a {@link RateLimitExceededException} if a limit was reached, and a
     * {@link dev.limiter.StoreUnavailableException} if the store gave no answer and a policy is
     * {@code CLOSED}. Clients wrap it into a {@code ProcessingException}. If a resource throws it,
     * its client gets a 429 or 503.
     *
     * <p>Its message names no address of the store; the log does.
     *
     * @param failure what the call threw; it and its causes are searched
     */
    public static Optional<NotAdmittedException> notAdmittedIn(Throwable failure) {
        return in(failure, NotAdmittedException.class);
    }

    /**
     * {@return the rejection that kept a call from being made; empty if the call failed for
     * another reason} If the store gave no answer, it is empty too: see {@link #notAdmittedIn}.
     *
     * @param failure what the call threw; it and its causes are searched
     */
    public static Optional<RateLimitExceededException> rejectionIn(Throwable failure) {
        return in(failure, RateLimitExceededException.class);
    }

    private static <T extends Throwable> Optional<T> in(Throwable failure, Class<T> kind) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (kind.isInstance(cause)) {
                return Optional.of(kind.cast(cause));
            }
        }
        return Optional.empty();
    }

    @Override
    public boolean configure(FeatureContext context) {
        RateLimiter asked = limiter != null ? limiter : bean();
        context.register(new OutboundFilter(policies, asked, key, atMost), NEAREST_TO_THE_CALL);
        return true;
    }

    private static RateLimiter bean() {
        return ExtensionAccess.limiter()
                .orElseThrow(() -> new IllegalStateException("there is no CDI bean of type "
                        + RateLimiter.class.getName() + " here; give the feature the limiter of the application: "
                        + RateLimitClientFeature.class.getSimpleName()
                        + ".of(...).using(ServletLimits.of(servletContext).limiter())"));
    }
}
