package dev.limiter.jaxrs.internal.signals;

import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.jaxrs.internal.platform.LogText;
import dev.limiter.jaxrs.internal.platform.OptionalLibrary;
import dev.limiter.spi.StoreError;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The listeners of an application's limiter. Logs and health always listen. Metrics and events
 * listen if their libraries are present. A listener that throws changes no response, and does
 * not stop other listeners.
 */
public final class Listeners implements RequestSignals, AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.limiter.signals");

    private final StoreState store = new StoreState(InstantSource.system());
    private final List<RequestSignals> listeners;
    private final LogThrottle failures = new LogThrottle(System::nanoTime);
    private volatile boolean limitsHaveFailed;

    private Listeners(List<RequestSignals> listeners) {
        List<RequestSignals> all = new ArrayList<>(listeners);
        all.add(store);
        this.listeners = List.copyOf(all);
    }

    /** The listeners of an application without CDI. */
    public static Listeners withoutBeans() {
        return of(type -> Optional.empty());
    }

    /**
     * The listeners of an application.
     *
     * @param beans the bean of a type, if there is exactly one
     * @param more listeners besides logs, health and metrics
     */
    public static Listeners of(Function<Class<?>, Optional<?>> beans, RequestSignals... more) {
        List<RequestSignals> all = new ArrayList<>(List.of(more));
        all.add(new BreakerLog(System::nanoTime));
        all.add(new CallerPeriodLog(System::nanoTime));
        OptionalLibrary.MICROMETER.ifUsable(() -> MicrometerMetrics.in(beans)).ifPresent(all::add);
        return new Listeners(all);
    }

    /** The known state of the store's nodes. */
    public StoreState store() {
        return store;
    }

    /** Notes that limits of the application cannot be put in force. */
    public void limitsFailed() {
        limitsHaveFailed = true;
    }

    /** Whether limits of the application cannot be put in force. */
    public boolean limitsHaveFailed() {
        return limitsHaveFailed;
    }

    @Override
    public void decided(Decision decision, long nanos) {
        tell(listener -> listener.decided(decision, nanos));
    }

    @Override
    public void undecided(CheckGroup group, long nanos) {
        tell(listener -> listener.undecided(group, nanos));
    }

    @Override
    public void storeFailed(StoreError error, boolean mayHaveRun) {
        tell(listener -> listener.storeFailed(error, mayHaveRun));
    }

    @Override
    public void happened(Incident incident) {
        tell(listener -> listener.happened(incident));
    }

    @Override
    public void connected(long nanos) {
        tell(listener -> listener.connected(nanos));
    }

    @Override
    public void node(String node) {
        String name = LogText.of(node);
        tell(listener -> listener.node(name));
    }

    /** Makes a single line of the server's message: observers log it, too. */
    @Override
    public void breaker(String node, boolean open, String reason) {
        String name = LogText.of(node);
        String words = LogText.of(reason);
        tell(listener -> listener.breaker(name, open, words));
    }

    @Override
    public void leases(LongSupplier renewed, LongSupplier oldestSeconds) {
        tell(listener -> listener.leases(renewed, oldestSeconds));
    }

    @Override
    public void fallbackPartitions(LongSupplier partitions) {
        tell(listener -> listener.fallbackPartitions(partitions));
    }

    @Override
    public void gauge(String name, String tag, String value, DoubleSupplier figure) {
        tell(listener -> listener.gauge(name, tag, value, figure));
    }

    @Override
    public void deployed(String policy) {
        tell(listener -> listener.deployed(policy));
    }

    @Override
    public void count(MeterSheet meter, String policy) {
        tell(listener -> listener.count(meter, policy));
    }

    @Override
    public void quotaFailed(String policy, QuotaFailure failure) {
        tell(listener -> listener.quotaFailed(policy, failure));
    }

    @Override
    public void slotWaited(long nanos) {
        tell(listener -> listener.slotWaited(nanos));
    }

    @Override
    public void slotWaitRejected(Decision.Rejected rejected) {
        tell(listener -> listener.slotWaitRejected(rejected));
    }

    @Override
    public void ended() {
        tell(RequestSignals::ended);
    }

    @Override
    public void close() {
        ended();
    }

    private void tell(Consumer<RequestSignals> signal) {
        for (RequestSignals listener : listeners) {
            try {
                signal.accept(listener);
            } catch (RuntimeException | LinkageError thrown) {
                log(thrown);
            }
        }
    }

    private void log(Throwable thrown) {
        long times = failures.times();
        if (times > 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "A listener to the limiter threw, " + times
                            + " times since the last such line; no response was changed",
                    thrown);
        }
    }
}
