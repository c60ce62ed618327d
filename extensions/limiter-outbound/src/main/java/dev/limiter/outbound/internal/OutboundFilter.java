package dev.limiter.outbound.internal;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.jaxrs.internal.signals.StoreFailureLog;
import dev.limiter.outbound.RateLimitClientFeature;
import jakarta.ws.rs.client.ClientRequestContext;
import jakarta.ws.rs.client.ClientRequestFilter;
import jakarta.ws.rs.client.ClientResponseContext;
import jakarta.ws.rs.client.ClientResponseFilter;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Asks the limiter before a call. After the call it reads whether the partner rejects, and
 * closes the gates for all instances.
 */
public final class OutboundFilter implements ClientRequestFilter, ClientResponseFilter {
    private static final String ASKED = "dev.limiter.outbound";

    private final List<OutboundPolicy> policies;
    private final RateLimiter limiter;
    private final Function<ClientRequestContext, PartitionKey> key;
    private final Duration atMost;
    private final PendingClosings untold = new PendingClosings(System::nanoTime);
    private final StoreFailureLog failures = new StoreFailureLog();

    /**
     * @param key the partition of a call; null if each policy has its own
     * @param atMost how long a call may be held; null if the policies say
     */
    public OutboundFilter(
            List<OutboundPolicy> policies,
            RateLimiter limiter,
            Function<ClientRequestContext, PartitionKey> key,
            Duration atMost) {
        this.policies = policies;
        this.limiter = limiter;
        this.key = key;
        this.atMost = atMost;
    }

    @Override
    public void filter(ClientRequestContext call) throws IOException {
        PartitionKey own = key == null ? null : keyOf(call);
        List<Check> checks = new ArrayList<>(policies.size());
        Duration longest = Duration.ZERO;
        Duration variation = Duration.ZERO;
        for (OutboundPolicy each : policies) {
            Policy policy = each.inForce();
            if (policy != null) {
                checks.add(Check.of(policy, own == null ? each.key() : own));
                longest = longest.compareTo(policy.maxWait()) < 0 ? policy.maxWait() : longest;
                variation = variation.compareTo(each.delayVariation()) < 0 ? each.delayVariation() : variation;
            }
        }
        if (!checks.isEmpty()) {
            CheckGroup asked = new CheckGroup(checks);
            await(asked, atMost == null ? longest : atMost, variation);
            call.setProperty(ASKED, asked);
        }
    }

    /**
     * Waits for admission. The exception may end up in a response, so it does not say where the
     * store is; the log does.
     */
    private void await(CheckGroup asked, Duration atMost, Duration variation) throws IOException {
        try {
            GatedAcquire.await(limiter, asked, atMost, variation, untold);
        } catch (StoreUnavailableException unavailable) {
            failures.log(unavailable, "a call to a partner was not made");
            throw new StoreUnavailableException(
                    "the call was not made: the store of its limit did not answer, and onStoreFailure is CLOSED", null);
        }
    }

    private PartitionKey keyOf(ClientRequestContext call) {
        PartitionKey own = key.apply(call);
        if (own == null) {
            throw new IllegalStateException("the function that was given to "
                    + RateLimitClientFeature.class.getSimpleName() + ".keyedBy gave null for " + call.getMethod() + ' '
                    + call.getUri().getPath() + "; it must name the partition of every call");
        }
        return own;
    }

    /**
     * Closes gates as the response says. A failure of the store does not fail the call, whose
     * response is there.
     */
    @Override
    public void filter(ClientRequestContext call, ClientResponseContext answer) {
        if (!(call.getProperty(ASKED) instanceof CheckGroup asked)) {
            return;
        }
        Duration closed = PartnerResponse.closedFor(answer, InstantSource.system());
        if (closed.isZero()) {
            return;
        }
        for (Check check : asked.checks()) {
            try {
                limiter.closeGate(check.policy(), check.key(), closed);
            } catch (StoreUnavailableException unavailable) {
                untold.add(check, closed);
                failures.log(unavailable, "this instance tells the others that a partner rejects before its next call");
            }
        }
    }
}
