package dev.limiter.model;

import java.util.List;

/** A limiter that settles what several callers ask at the same time in one call. */
public interface Together {

    /** To each caller, in their order, what it asked for: a list of decisions, or of answers. */
    List<List<?>> askTogether(List<Caller> callers);
}
