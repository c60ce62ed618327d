package dev.limiter.local.internal.fallback;

import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.spi.Receipt;

/**
 * A part of a group that the books have decided.
 *
 * @param members which demands of the group are in it
 * @param decision has an answer for each of these, in their order
 */
public record MemberDecision(boolean[] members, Decision decision) {

    /** The answers, each at its demand's place in the group; null elsewhere. */
    CheckResult[] placed() {
        CheckResult[] placed = new CheckResult[members.length];
        int next = 0;
        for (int i = 0; i < members.length; i++) {
            placed[i] = members[i] ? decision.answers().get(next++) : null;
        }
        return placed;
    }

    Receipt receipt() {
        return ((Decision.Admitted) decision).receipt();
    }
}
