package dev.limiter.operations.internal;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.jaxrs.internal.bootstrap.OperatedApplication.Candidate;
import dev.limiter.spi.Ask;
import dev.limiter.spi.GroupDecisions;
import dev.limiter.spi.Layer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * Decides candidates in the same call as their limits: they see the same instant, and have states
 * of their own. Counts what each would have done on this instance since its numbers are in force:
 * to how many requests, and to how many different callers.
 */
final class Candidates extends Layer {
    private static final double NEAR = 0.8;

    private final Function<Policy, Candidate> candidateOf;
    private final Function<String, Object> versionOf;
    private final Map<String, Counts> byPolicy = new ConcurrentHashMap<>();

    private static final class Counts {
        /** What was asked first with the numbers that are counted; null in a sum. */
        private final Beside first;

        private final LongAdder requests = new LongAdder();
        private final LongAdder rejected = new LongAdder();
        private final DistinctCallers callers = new DistinctCallers();
        /** Callers that have used 80 % of the candidate at some time, or were rejected. */
        private final DistinctCallers near = new DistinctCallers();

        private final DistinctCallers rejectedCallers = new DistinctCallers();

        Counts(Beside first) {
            this.first = first;
        }

        /** Whether its numbers are those that are counted, perhaps for another tier. */
        boolean areOf(Beside beside) {
            return first.candidate().version().equals(beside.candidate().version());
        }

        void count(long caller, CheckResult result) {
            requests.increment();
            callers.add(caller);
            if (!result.admitted() || result.used() >= NEAR * result.policy().capacity()) {
                near.add(caller);
            }
            if (!result.admitted()) {
                rejected.increment();
                rejectedCallers.add(caller);
            }
        }

        void addAll(String[] line) {
            requests.add(Long.parseLong(line[1]));
            rejected.add(Long.parseLong(line[2]));
            callers.addAll(DistinctCallers.of(line[3]));
            near.addAll(DistinctCallers.of(line[4]));
            rejectedCallers.addAll(DistinctCallers.of(line[5]));
        }

        Map<String, Object> described() {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("requests", requests.sum());
            row.put("candidateRejected", rejected.sum());
            row.put("callers", callers.count());
            row.put("callersRejected", rejectedCallers.count());
            row.put("callersNeverNear", Math.max(0, callers.count() - near.count()));
            return row;
        }
    }

    /**
     * @param candidateOf the candidate in force beside a policy; null if there is none
     * @param versionOf the version in force of the candidate of a policy; null if there is none
     */
    Candidates(RateLimiter next, Function<Policy, Candidate> candidateOf, Function<String, Object> versionOf) {
        super(next);
        this.candidateOf = candidateOf;
        this.versionOf = versionOf;
    }

    @Override
    public <A> A answer(Ask<A> ask) {
        if (ask instanceof Ask.Acquire acquire) {
            return ask.is(acquire(acquire));
        }
        if (ask instanceof Ask.AcquireEach each && each.groups().stream().anyMatch(this::isTried)) {
            return ask.is(GroupDecisions.oneByOne(each.groups(), group -> acquire(new Ask.Acquire(group, null))));
        }
        return next.answer(ask);
    }

    private boolean isTried(CheckGroup group) {
        return !Ask.AcquireEach.isRenewal(group) && !of(group).isEmpty();
    }

    /** A wait is one request: its end is when candidates decide it. */
    private Decision acquire(Ask.Acquire ask) {
        List<Beside> beside = of(ask.group());
        if (beside.isEmpty()) {
            return next.answer(ask);
        }
        if (ask.budget() != null) {
            Decision decision = next.answer(ask);
            beside.forEach(each -> count(each, next.acquire(each.asked())));
            return decision;
        }
        List<CheckGroup> all = new ArrayList<>(List.of(ask.group()));
        beside.forEach(each -> all.add(each.asked()));
        GroupDecisions decisions = next.answer(new Ask.AcquireEach(all));
        for (int i = 0; i < beside.size(); i++) {
            Beside each = beside.get(i);
            decisions.made().get(i + 1).ifPresent(decision -> count(each, decision));
        }
        return decisions.made().get(0).orElseThrow(decisions::failure);
    }

    /** What is asked beside a limit of a request. */
    record Beside(Policy limit, Candidate candidate, CheckGroup asked) {}

    /** What candidates are asked. A request may have a larger cost than they admit. */
    List<Beside> of(CheckGroup group) {
        List<Beside> all = List.of();
        for (Check check : group.checks()) {
            Candidate candidate = candidateOf.apply(check.policy());
            if (candidate != null) {
                long cost = Math.min(check.cost(), candidate.policy().maxCost());
                all = all.isEmpty() ? new ArrayList<>() : all;
                all.add(new Beside(
                        check.policy(), candidate, CheckGroup.of(new Check(candidate.policy(), check.key(), cost))));
            }
        }
        return all;
    }

    /**
     * Counts what a candidate has decided, unless the store was away, or other numbers have come in
     * force meanwhile.
     */
    void count(Beside beside, Decision decision) {
        CheckResult result = decision.results().get(0);
        if (result.fallback()) {
            return;
        }
        String name = beside.candidate().policy().name();
        Counts counts = byPolicy.get(name);
        if (counts == null || !counts.areOf(beside)) {
            counts = byPolicy.compute(name, (same, now) -> {
                boolean known = now != null && now.areOf(beside);
                return known || !isInForce(beside) ? now : new Counts(beside);
            });
        }
        if (counts != null && counts.areOf(beside)) {
            counts.count(beside.asked().checks().get(0).key().stableHash(), result);
        }
    }

    /** Forgets candidates that were taken back, or have other numbers now. */
    void retain() {
        byPolicy.values().removeIf(counts -> !isInForce(counts.first));
    }

    private boolean isInForce(Beside beside) {
        return beside.candidate()
                .version()
                .equals(versionOf.apply(beside.limit().name()));
    }

    /** A line for each candidate: its name, requests, rejected ones, three sets of callers. */
    List<String> report() {
        retain(); // configuration may have changed them
        List<String> lines = new ArrayList<>();
        byPolicy.forEach((name, counts) -> lines.add(String.join(
                "\t",
                name,
                Long.toString(counts.requests.sum()),
                Long.toString(counts.rejected.sum()),
                counts.callers.text(),
                counts.near.text(),
                counts.rejectedCallers.text())));
        return lines;
    }

    /** Adds reports up, by the name of the candidate. */
    static Map<String, Object> sum(Collection<String> reports) {
        Map<String, Counts> sums = new TreeMap<>();
        reports.stream()
                .flatMap(String::lines)
                .map(line -> line.split("\t", -1))
                .forEach(line ->
                        sums.computeIfAbsent(line[0], name -> new Counts(null)).addAll(line));
        Map<String, Object> described = new LinkedHashMap<>();
        sums.forEach((name, counts) -> described.put(name, counts.described()));
        return described;
    }
}
