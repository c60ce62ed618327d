package dev.limiter;

import java.util.List;

/**
 * The demands of one decision: all are admitted, or nothing is charged.
 *
 * @param demands at least one; no two of them on the same partition of the same policy, for each is decided as if it were
 *     the only one there
 */
public record Group(List<Demand> demands) {

    /**
     * @throws IllegalArgumentException if there is no demand, or if two ask the same partition of the same policy
     */
    public Group {
        demands = List.copyOf(demands);
        if (demands.isEmpty()) {
            throw new IllegalArgumentException("a group needs at least one demand");
        }
        for (int i = 1; i < demands.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (demands.get(i).samePartition(demands.get(j))) {
                    throw new IllegalArgumentException("policy \""
                            + demands.get(i).policy().name()
                            + "\" is asked twice for one key in one group; add the costs");
                }
            }
        }
    }

    /** A group of these demands. */
    public static Group of(Demand... demands) {
        return new Group(List.of(demands));
    }
}
