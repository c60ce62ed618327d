package dev.limiter.local.internal.fallback;

import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.spi.Receipt;

/**
 * The decision of the mirror on some checks of a group, its members.
 *
 * @param members which checks of the group are members
 * @param decision has a result for each member, in their order
 */
public record MemberDecision(boolean[] members, Decision decision) {

    /** The results, each at its check's place in the group; null elsewhere. */
    CheckResult[] placed() {
        CheckResult[] placed = new CheckResult[members.length];
        int next = 0;
        for (int i = 0; i < members.length; i++) {
            placed[i] = members[i] ? decision.results().get(next++) : null;
        }
        return placed;
    }

    Receipt receipt() {
        return ((Decision.Admitted) decision).receipt();
    }
}
