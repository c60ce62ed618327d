package dev.limiter.redis;

import dev.limiter.Demand;
import dev.limiter.Policy;
import dev.limiter.Refill;
import dev.limiter.spi.Reading;
import java.util.List;

/**
 * How one policy speaks with the scripts: its arguments, most of them encoded once, and the meaning of its reply. What they
 * are is written at the head of each file in {@code lua}.
 */
interface PolicyScript {

    /** Appends the algorithm's name and its arguments. */
    void arguments(Demand demand, List<byte[]> arguments);

    /** Takes from the reply what the algorithm reads. */
    Reading reading(Reply reply);

    /** Appends how much is charged without asking, and the bound: units, unless the algorithm measures otherwise. */
    default void debt(Policy policy, long units, List<byte[]> arguments) {
        arguments.add(Argument.of(units));
        arguments.add(Argument.of(Reading.debtLimit(policy)));
    }

    /** Appends the algorithm's name and what it needs to give back a demand. */
    void refund(Demand demand, Reading then, long thenMicros, List<byte[]> arguments);

    /** The only place where an algorithm meets its script. */
    static PolicyScript of(Policy policy) {
        return switch (policy.algorithm()) {
            case FIXED_WINDOW -> new WindowScript("fixed_window", policy);
            case SLIDING_WINDOW -> new WindowScript("sliding_window", policy);
            case SLIDING_LOG -> new LogScript(policy);
            case TOKEN_BUCKET ->
                policy.refill() == Refill.INTERVAL ? new IntervalScript(policy) : new GcraScript(policy);
            case GCRA, UNIFORM, LEAKY_BUCKET -> new GcraScript(policy);
            case CONCURRENCY -> new LeaseScript(policy);
        };
    }
}
