package dev.limiter.model;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Policy;
import java.util.ArrayList;
import java.util.List;

/** One of several callers that ask at the same time. */
public sealed interface Caller {

    /** Asks for groups, one after the other. */
    record Asks(List<CheckGroup> groups) implements Caller {}

    /** Asks for the results without charging. */
    record Peeks(CheckGroup group) implements Caller {}

    /**
     * The order in which a shared call decides its callers. It is their own order, but equal
     * checks of one policy are decided together, in the place of the first. On a log they are at
     * most as many units as one push takes.
     *
     * @return the places of the callers
     */
    static List<Integer> settled(List<? extends Caller> callers) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < callers.size(); i++) {
            if (order.contains(i)) {
                continue;
            }
            order.add(i);
            Check only = only(callers.get(i));
            long atOnce = 1;
            for (int j = i + 1; only != null && j < callers.size(); j++) {
                if (atOnce < mostAtOnce(only) && !order.contains(j) && only.equals(only(callers.get(j)))) {
                    order.add(j);
                    atOnce++;
                }
            }
        }
        return order;
    }

    private static Check only(Caller caller) {
        boolean one = caller instanceof Asks asks
                && asks.groups().size() == 1
                && asks.groups().get(0).checks().size() == 1;
        return one ? ((Asks) caller).groups().get(0).checks().get(0) : null;
    }

    private static long mostAtOnce(Check check) {
        return switch (check.policy().algorithm()) {
            case CONCURRENCY -> 1;
            case SLIDING_LOG -> Policy.MAX_LOG_COST / check.cost();
            case FIXED_WINDOW, SLIDING_WINDOW, TOKEN_BUCKET, GCRA, UNIFORM, LEAKY_BUCKET, GATE -> Long.MAX_VALUE;
        };
    }
}
