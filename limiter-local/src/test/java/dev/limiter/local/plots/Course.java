package dev.limiter.local.plots;

import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.local.LocalRateLimiter;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * What became of some traffic: the decisions of the limiter, on a clock that goes from request
 * to request.
 *
 * @param runsMillis when those that were admitted ran, which is later than they came where they
 *     were held
 * @param rejectedMillis when those came that were not
 */
record Course(List<Long> runsMillis, List<Long> rejectedMillis) {
    private static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");
    private static final PartitionKey KEY = PartitionKey.of("user", "alice");

    private record InFlight(long untilMillis, Decision.Admitted lease) {}

    /** Asks a limiter at rest for each request in its turn. */
    static Course of(Contender contender, Traffic traffic) {
        long[] now = new long[1];
        List<Long> runs = new ArrayList<>();
        List<Long> rejected = new ArrayList<>();
        Queue<InFlight> inFlight = new ArrayDeque<>();
        try (LocalRateLimiter limiter = new LocalRateLimiter(() -> BEGINNING.plusMillis(now[0]))) {
            for (long at : traffic.arrivalsMillis()) {
                now[0] = at;
                while (!inFlight.isEmpty() && inFlight.peek().untilMillis() <= at) {
                    limiter.refund(inFlight.remove().lease());
                }
                if (limiter.acquire(contender.policy(), KEY) instanceof Decision.Admitted admission) {
                    runs.add(at + admission.runAfter().toMillis());
                    if (contender.heldMillis() > 0) {
                        inFlight.add(new InFlight(at + contender.heldMillis(), admission));
                    }
                } else {
                    rejected.add(at);
                }
            }
        }
        return new Course(runs, rejected);
    }

    /** The most that ran in any half-open interval of one window. */
    long mostInAnyWindow() {
        long window = Contender.WINDOW.toMillis();
        return runsMillis.stream()
                .mapToLong(from -> runsMillis.stream()
                        .filter(run -> run >= from && run < from + window)
                        .count())
                .max()
                .orElse(0);
    }
}
