package dev.limiter.model;

import java.util.List;

/** A limiter that decides the checks of several callers in one call. */
public interface Together {

    /** For each caller, in their order, a list of decisions or of results. */
    List<List<?>> askTogether(List<Caller> callers);
}
