package dev.limiter.redis.faults;

import dev.limiter.spi.Signals;
import dev.limiter.spi.StoreError;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

/** What a limiter told of itself. */
final class Recorded implements Signals {
    private final Map<StoreError, LongAdder> errors = new ConcurrentHashMap<>();
    private final LongAdder ambiguous = new LongAdder();
    private final LongAdder scripts = new LongAdder();
    private final List<String> breaker = new CopyOnWriteArrayList<>();

    @Override
    public void storeFailed(StoreError error, boolean mayHaveRun) {
        errors.computeIfAbsent(error, none -> new LongAdder()).increment();
        if (mayHaveRun) {
            ambiguous.increment();
        }
    }

    @Override
    public void scriptMissing() {
        scripts.increment();
    }

    @Override
    public void breaker(String node, boolean open, String reason) {
        breaker.add(open ? reason : "closed");
    }

    long errors(StoreError error) {
        LongAdder counted = errors.get(error);
        return counted == null ? 0 : counted.sum();
    }

    long ambiguous() {
        return ambiguous.sum();
    }

    long scripts() {
        return scripts.sum();
    }

    /** Why it opened, and {@code closed}, in their order. */
    List<String> breaker() {
        return breaker;
    }

    Map<StoreError, LongAdder> all() {
        return errors;
    }
}
