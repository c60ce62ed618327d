package dev.limiter.redis.faults;

import dev.limiter.spi.Signals;
import dev.limiter.spi.StoreError;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Records the signals of a limiter about its store. */
final class LogAssertions implements Signals {
    /**
     * A permission that a script lacks: the words of Redis 6.2 and 7.0, and of newer servers.
     */
    static final String NO_PERMISSION = "can't run this command|ACL failure in script";

    private final Map<StoreError, Integer> errors = new ConcurrentHashMap<>();
    private final AtomicInteger ambiguous = new AtomicInteger();
    private final AtomicInteger scriptsMissing = new AtomicInteger();
    private final AtomicInteger credentialsFailed = new AtomicInteger();
    private final Set<String> open = ConcurrentHashMap.newKeySet();
    private final List<String> reasons = new CopyOnWriteArrayList<>();

    /** Calls that failed, by their reason. */
    Map<StoreError, Integer> errors() {
        return Map.copyOf(errors);
    }

    int errors(StoreError error) {
        return errors.getOrDefault(error, 0);
    }

    /** Calls that failed and may have been executed. */
    int ambiguous() {
        return ambiguous.get();
    }

    int scriptsMissing() {
        return scriptsMissing.get();
    }

    /** Failures of a source of credentials. */
    int failedCredentials() {
        return credentialsFailed.get();
    }

    /** Nodes whose breaker is open. */
    Set<String> open() {
        return Set.copyOf(open);
    }

    /** Why a breaker opened, and {@code closed}, in their order. */
    List<String> reasons() {
        return List.copyOf(reasons);
    }

    @Override
    public void storeFailed(StoreError error, boolean mayHaveRun) {
        errors.merge(error, 1, Integer::sum);
        if (mayHaveRun) {
            ambiguous.incrementAndGet();
        }
    }

    @Override
    public void happened(Incident incident) {
        scriptsMissing.addAndGet(incident == Incident.SCRIPT_MISSING ? 1 : 0);
        credentialsFailed.addAndGet(incident == Incident.CREDENTIALS_FAILURES ? 1 : 0);
    }

    @Override
    public void breaker(String node, boolean open, String reason) {
        reasons.add(open ? reason : "closed");
        if (open) {
            this.open.add(node);
        } else {
            this.open.remove(node);
        }
    }
}
