package dev.limiter.redis.internal.combine;

import dev.limiter.redis.internal.script.ScriptCommand;
import java.util.ArrayList;
import java.util.List;

/**
 * The calls that share a round trip, and the commands that carry them. For one leader at a time:
 * later round trips use the object again, so that a lone call makes no garbage.
 */
public final class RoundTrip {
    /**
     * The leader's, then those of others. It has room for all from the first: each call that is
     * claimed needs an outcome.
     */
    private final List<PendingCall> calls = new ArrayList<>(Combiner.MOST_TOGETHER);

    private final List<Batch> batches = new ArrayList<>(Combiner.MOST_TOGETHER);
    private final Batch firstBatch = new Batch();
    private final ScriptCommand command = new ScriptCommand();

    /** Adds a call that this leader has claimed. */
    public RoundTrip add(PendingCall call) {
        calls.add(call);
        return this;
    }

    List<PendingCall> calls() {
        return calls;
    }

    /** What is sent, after {@link #batch}. */
    List<Batch> batches() {
        return batches;
    }

    /** Adds a call to a batch that takes it, otherwise as a batch of its own. */
    void batch(PendingCall call) {
        for (int i = 0; i < batches.size(); i++) { // without an iterator: each call comes here
            if (batches.get(i).takes(call)) {
                return;
            }
        }
        batches.add((batches.isEmpty() ? firstBatch : new Batch()).of(call));
    }

    /** May be used for a command, and for another one after it was sent. */
    ScriptCommand command() {
        return command;
    }

    /**
     * Forgets the calls.
     *
     * @return whether another leader may use it; otherwise it would keep a large payload in memory
     */
    boolean clear() {
        calls.clear();
        batches.clear();
        firstBatch.clear();
        return command.isReusable();
    }
}
