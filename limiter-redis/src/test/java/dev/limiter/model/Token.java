package dev.limiter.model;

import dev.limiter.Check;
import java.util.ArrayList;
import java.util.List;

/** The units that an admission took, to be given back at most once. */
public final class Token {
    private final List<Taken> taken;
    private final List<Taken> unspent;

    Token(List<Taken> taken) {
        this.taken = List.copyOf(taken);
        this.unspent = new ArrayList<>(taken);
    }

    /** The checks that were charged. */
    List<Check> checks() {
        return taken.stream().map(Taken::check).toList();
    }

    /** The charges to give back; none the second time. */
    List<Taken> spend() {
        List<Taken> rest = List.copyOf(unspent);
        unspent.clear();
        return rest;
    }

    /** The charge of a check, to be settled; null if it was given back or settled before. */
    Taken spend(Check check) {
        for (Taken each : unspent) {
            if (each.check.equals(check)) {
                unspent.remove(each);
                return each;
            }
        }
        return null;
    }

    /** One check that was charged, and the state as it left it. */
    record Taken(Check check, State after) {}
}
