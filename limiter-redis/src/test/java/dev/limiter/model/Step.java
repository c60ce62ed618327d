package dev.limiter.model;

import dev.limiter.CheckGroup;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import java.util.List;

/** One call of a limiter, after a pause. */
public sealed interface Step {

    /** How far the clock moves before. */
    Pause pause();

    /** Asks for these groups in one call. */
    record Acquire(Pause pause, List<CheckGroup> groups) implements Step {}

    /** Several callers ask at the same time. */
    record AskTogether(Pause pause, List<Caller> callers) implements Step {}

    /** Asks for the results without charging. */
    record Peek(Pause pause, CheckGroup group) implements Step {}

    /** Charges units that were known only afterwards. */
    record Charge(Pause pause, Policy policy, PartitionKey key, long units) implements Step {}

    /**
     * Gives an admission back, which may have been given back before. Nothing happens while
     * there is none.
     *
     * @param latest which of the admissions so far: 0 for the latest, 1 for that before, and
     *     round if there are fewer
     */
    record Refund(Pause pause, int latest) implements Step {}

    /**
     * Settles one check of an admission, which may have been settled or given back before.
     * Nothing happens if the admission has no check that can be settled.
     *
     * @param latest as in {@link Refund}
     * @param check which of the checks that can be settled, and round if there are fewer
     * @param usedPercent of the cost: from 0, which gives all back, to 300
     */
    record Settle(Pause pause, int latest, int check, int usedPercent) implements Step {}

    /** Forgets what was counted. */
    record Reset(Pause pause, Policy policy, PartitionKey key) implements Step {}
}
