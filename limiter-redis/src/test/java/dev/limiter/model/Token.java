package dev.limiter.model;

import dev.limiter.Check;
import java.util.List;

/** The units that an admission took, to be given back at most once. */
public final class Token {
    private final List<Taken> taken;
    private boolean spent;

    Token(List<Taken> taken) {
        this.taken = taken;
    }

    /** The charges to give back; none the second time. */
    List<Taken> spend() {
        List<Taken> rest = spent ? List.of() : taken;
        spent = true;
        return rest;
    }

    /** One check that was charged, and the state as it left it. */
    record Taken(Check check, State after) {}
}
