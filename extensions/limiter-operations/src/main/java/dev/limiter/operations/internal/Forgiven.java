package dev.limiter.operations.internal;

import dev.limiter.Check;
import dev.limiter.PartitionKey;
import dev.limiter.RateLimiter;
import dev.limiter.internal.store.InstanceRecord;
import dev.limiter.spi.Ask;
import dev.limiter.spi.Layer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Partitions that an operator has forgiven, and that this instance has not met since. It knows
 * their digests only. When it meets the key of such a digest, it forgets what it has recorded of
 * the partition for a store that fails. Of a partition that it does not meet it knows as long as
 * the changes tell of it.
 */
final class Forgiven extends Layer {
    private final InstanceRecord record;
    private final Function<PartitionKey, String> digest;
    private final Set<String> unmet = ConcurrentHashMap.newKeySet();

    Forgiven(RateLimiter next, InstanceRecord record, Function<PartitionKey, String> digest) {
        super(next);
        this.record = record;
        this.digest = digest;
    }

    void add(Change forgiven) {
        unmet.add(name(forgiven.partition(), forgiven.policy()));
    }

    void retain(Stream<Change> told) {
        unmet.retainAll(told.map(each -> name(each.partition(), each.policy())).toList());
    }

    private static String name(String partition, String policy) {
        return partition + policy;
    }

    @Override
    public <A> A answer(Ask<A> ask) {
        if (!unmet.isEmpty()) {
            ask.checks().forEach(this::meet);
        }
        return next.answer(ask);
    }

    private void meet(Check check) {
        if (unmet.remove(name(digest.apply(check.key()), check.policy().name()))) {
            record.forget(check.policy(), check.key());
        }
    }
}
