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
 * Keeps the calls of a client within the limits of a partner, together with all instances. It
 * serves a Jakarta REST {@code Client} and MicroProfile REST clients.
 *
 * <pre>{@code
 * Client client = ClientBuilder.newClient().register(RateLimitClientFeature.of("carrier"));
 * }</pre>
 *
 * <p>Before a call starts, all policies and their {@linkplain Policy#gate gates} are asked at
 * once. A call that is not admitted is rejected here, with {@link RateLimitExceededException},
 * or held for as long as {@link #holdingAtMost} says. Without that it is held for the longest
 * {@code maxWait} of its policies, whichever of them rejects. A {@code LEAKY_BUCKET} holds up to
 * its own {@code maxWait}. The call's thread is held. If a policy is {@code CLOSED} and the
 * store gives no answer, the call is not made. {@link #notAdmittedIn} finds both reasons in the
 * exception of the client.
 *
 * <p>Beside a {@code LEAKY_BUCKET} all others are charged when the call gets its slot, up to
 * {@code maxWait} before it starts: declare their windows longer by that if the partner must
 * never see more than the limit.
 *
 * <p>A partner that rejects closes the gates of the call's partition, in every instance, for at
 * most an hour: by a 403, 429 or 503 with {@code Retry-After}, or by any response with
 * {@code RateLimit} (draft 11) of which an item has {@code r=0} and a {@code t}. What the store
 * could not be told is told before the next call of that partition by this client.
 *
 * <p>What is counted where calls start is limited where they arrive, so each window is longer
 * than it was written by {@code limiter.outbound.delay-variation}, 50 ms unless configured from
 * 0 to 1 min: see {@link Policy#withDelayVariation}.
 *
 * <p>Jakarta REST registers a class once for each client: of several policies for one client all
 * go to one feature.
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
     * {@return the feature of policies that configuration declares:
     * {@code limiter.policy.carrier.key='all'}, {@code .algorithm}, {@code .limit},
     * {@code .window}} They are read again while calls are made.
     *
     * @param first the name of one
     * @param more the names of others that the same calls are counted on
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
     * {@return the feature of policies that code makes} The rules for Redis, delays and
     * switching on hold for them, too.
     *
     * @param first one
     * @param more others that the same calls are counted on
     * @throws dev.limiter.spi.InvalidSettingException if Redis holds the counts and a policy
     *     would be {@code OPEN} when it fails, or {@code LOCAL} while
     *     {@code limiter.expected-instances} is not set
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
     * {@return the same, asking this limiter instead of the CDI bean}
     *
     * @param other the limiter, which the caller closes; never null
     */
    public RateLimitClientFeature using(RateLimiter other) {
        return new RateLimitClientFeature(policies, Objects.requireNonNull(other), key, atMost);
    }

    /**
     * {@return the same, with a partition for each key instead of one for all calls}
     *
     * @param computed the key of a call, such as that of the partner's account it is made for;
     *     never null
     */
    public RateLimitClientFeature keyedBy(Function<ClientRequestContext, PartitionKey> computed) {
        return new RateLimitClientFeature(policies, limiter, Objects.requireNonNull(computed), atMost);
    }

    /**
     * {@return the same, holding a call until it is admitted, but for no longer than this; the
     * {@code maxWait} of a {@code LEAKY_BUCKET} holds as well}
     *
     * @param longest from zero, which rejects at once
     * @throws IllegalArgumentException if it is negative
     */
    public RateLimitClientFeature holdingAtMost(Duration longest) {
        if (longest.isNegative()) {
            throw new IllegalArgumentException("calls are held for a span that is not negative, was " + longest);
        }
        return new RateLimitClientFeature(policies, limiter, key, longest);
    }

    /**
     * {@return why the limiter kept a call from being made: {@link RateLimitExceededException}
     * if a limit was reached, {@link dev.limiter.StoreUnavailableException} if the store gave no
     * answer and a policy is {@code CLOSED}} Empty if the call failed for another reason.
     * Clients wrap the exception of a filter into {@code ProcessingException}. A resource that
     * throws this exception is answered 429 or 503.
     *
     * <p>Its message names no address of the store; the log does.
     *
     * @param failure what the call threw; it and its causes are searched
     */
    public static Optional<NotAdmittedException> notAdmittedIn(Throwable failure) {
        return in(failure, NotAdmittedException.class);
    }

    /**
     * {@return the rejection that kept a call from being made} Empty if the call failed for
     * another reason, also if the store gave no answer: see {@link #notAdmittedIn}.
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
