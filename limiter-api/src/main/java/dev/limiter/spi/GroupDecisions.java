package dev.limiter.spi;

import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.StoreUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The decisions on several groups.
 *
 * @param made a decision for each group, in their order; empty for groups that the store left
 *     undecided
 * @param failure why some are undecided; null if none is
 */
public record GroupDecisions(List<Optional<Decision>> made, StoreUnavailableException failure) {

    /**
     * {@return the decisions on groups that are asked one by one}
     *
     * @param groups asked one after the other
     * @param decide asks one of them
     */
    public static GroupDecisions oneByOne(List<CheckGroup> groups, Function<CheckGroup, Decision> decide) {
        List<Optional<Decision>> made = new ArrayList<>(groups.size());
        StoreUnavailableException failure = null;
        for (CheckGroup group : groups) {
            try {
                made.add(Optional.of(decide.apply(group)));
            } catch (StoreUnavailableException unavailable) {
                failure = unavailable;
                made.add(Optional.empty());
            }
        }
        return new GroupDecisions(made, failure);
    }

    /**
     * {@return the decisions, if every group has one}
     *
     * @throws StoreUnavailableException if one has none; it contains the decisions that were made
     */
    public List<Decision> all() {
        if (failure != null) {
            throw failure.withDecisions(made);
        }
        return made.stream().map(Optional::orElseThrow).toList();
    }
}
