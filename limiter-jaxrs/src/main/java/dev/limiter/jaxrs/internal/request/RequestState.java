package dev.limiter.jaxrs.internal.request;

import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.Enforcement;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.RateLimits;
import dev.limiter.jaxrs.internal.plan.Limit;
import dev.limiter.jaxrs.internal.response.AcceptHeader;
import dev.limiter.jaxrs.internal.response.PublishedResult;
import dev.limiter.jaxrs.internal.response.RetryAfterHeader;
import dev.limiter.jaxrs.internal.text.Suggestions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The decisions and charges of one request, and what has to be given back. A caller may report
 * the end of the request several times. Units that the response does not count come back once.
 * Leases come back once.
 */
public final class RequestState {
    private static final int CLIENT_ERROR = 400;
    private static final int SERVER_ERROR = 500;

    private final Factory application;
    private final boolean endIsCertain;
    private final List<RequestDecision> decisions = new ArrayList<>(2);
    /** The last charge of each partition, in their order. */
    private Map<Charged.Partition, Charged> charges = Map.of();

    private final List<LeaseRenewer.HeldLease> leases = new ArrayList<>(0);
    /** The limits that do not count this caller, or that count no caller at present. */
    private final List<Limit> skipped = new ArrayList<>(0);
    /** The limits that do not count a key for which the method has asked. */
    private List<Limit> skippedKeys = List.of();

    /** The limits whose units the method acquires. */
    private List<MethodLimit> ofMethod = List.of();

    /** How many decisions there were when the method last settled a policy. */
    private Map<String, Integer> settled = Map.of();

    private final Supplier<Collection<String>> exposedAround;
    /** The request as its limits last saw it; null if no limit has seen it. */
    private LimitedRequest caller;

    private double heldMillis;
    private long retryAfterSeconds;
    private int status;
    /** The statuses of earlier responses, which could not be written. */
    private List<Integer> earlier = List.of();

    /** Whether a response may give units back, since some status does not count for a limit. */
    private boolean conditional;

    /** Whether an error may hide the response of the method, for its client wanted so. */
    private boolean errorsCount;

    private boolean broken;
    private boolean unread;
    private boolean left;
    private boolean hasFinished;
    /** How many decisions there were when units came back, and by which statuses. */
    private int decidedBeforeReturn;

    private List<Integer> returning = List.of();
    private boolean over;

    /**
     * Makes the state of each request of an application.
     *
     * @param end gives back what a request leaves over
     * @param limits makes what the method of a request may ask
     */
    public record Factory(RequestEnd end, RequestLimits.Factory limits) {
        /**
         * The state of a request that begins.
         *
         * @param endIsCertain whether the caller certainly reports the end of the request, so
         *     that its leases may be renewed until then
         */
        public RequestState begin(boolean endIsCertain) {
            return begin(endIsCertain, List::of);
        }

        /**
         * The state of a request that begins in a servlet container.
         *
         * @param endIsCertain whether the caller certainly reports the end of the request, so
         *     that its leases may be renewed until then
         * @param exposedAround finds the headers that are exposed to scripts of other origins
         *     around Jakarta REST
         */
        public RequestState begin(boolean endIsCertain, Supplier<Collection<String>> exposedAround) {
            return new RequestState(this, endIsCertain, exposedAround);
        }

        /**
         * Whether this application began a state. A request that another application forwards
         * may carry the state of that application, whose end gives back to another limiter.
         */
        public boolean began(RequestState state) {
            return state.application == this;
        }
    }

    /** A charge of a partition, and how many decisions there were before. */
    private record Charged(Check check, int decisionsBefore, ChargeResult result) {
        /** A method may charge thousands. */
        record Partition(String policy, PartitionKey key) {
            static Partition of(Check check) {
                return new Partition(check.policy().name(), check.key());
            }
        }

        String policy() {
            return check.policy().name();
        }

        /** A charge of 0 units after this one. */
        ChargeResult ofNothing() {
            return new ChargeResult(
                    result.policy(),
                    0,
                    0,
                    result.remaining(),
                    result.used(),
                    result.nextAfterMicros(),
                    result.resetAfterMicros(),
                    result.fallback());
        }
    }

    private RequestState(Factory application, boolean endIsCertain, Supplier<Collection<String>> exposedAround) {
        this.application = application;
        this.endIsCertain = endIsCertain;
        this.exposedAround = exposedAround;
    }

    /** The limits of this request for its method. */
    public RateLimits limits() {
        return application.limits().of(this);
    }

    /** The headers that are exposed to scripts of other origins around Jakarta REST. */
    Collection<String> exposedAround() {
        return exposedAround.get();
    }

    /**
     * The limits of a plan that have not counted this request yet. A forwarded request comes
     * several times. A unit that code has acquired for a key of its own is no count of the
     * request.
     */
    public synchronized List<Limit> notYetDecided(List<Limit> limits) {
        if (decisions.isEmpty()) {
            return limits;
        }
        return limits.stream()
                .filter(limit -> decided(limit.name()).allMatch(Limit::isForKeyOfCode))
                .toList();
    }

    private boolean hasDecided(String policy) {
        return decided(policy).findAny().isPresent();
    }

    private Stream<Limit> decided(String policy) {
        return decisions.stream()
                .flatMap(each -> each.limits().stream())
                .filter(limit -> limit.name().equals(policy));
    }

    public synchronized void add(RequestDecision decided) {
        decisions.add(decided);
        conditional |= !decided.countsEveryStatus();
        retryAfterSeconds = 0;
        if (decided.decision() instanceof Decision.Admitted admission && hasLease(admission)) {
            leases.add(application.end().hold(admission.only(RequestState::isLease), endIsCertain && !over));
        }
    }

    /** Notes the request, of which the method may ask further policies. */
    synchronized void seen(LimitedRequest request) {
        caller = request;
    }

    /**
     * The request as its limits last saw it; null if no limit has seen it, or it has ended: its
     * server may use its objects for another one.
     */
    synchronized LimitedRequest caller() {
        return over ? null : caller;
    }

    /** Notes the {@code Accept} fields of the request. */
    synchronized void accepts(List<String> fields) {
        errorsCount = AcceptHeader.namesRange(fields);
    }

    /** Notes a limit that does not count the request. */
    synchronized void skip(Limit limit) {
        skipped.add(limit);
    }

    /**
     * Notes a limit that does not count a key of the method. It still counts the request, and
     * the other keys of the method.
     */
    synchronized void skipKey(Limit limit) {
        if (policyAmong(skippedKeys, limit.name()) == null) {
            skippedKeys = new ArrayList<>(skippedKeys);
            skippedKeys.add(limit);
        }
    }

    /**
     * The policy of a limit that counts neither this request nor any key that its method has
     * asked for; null if there is none of this name.
     */
    public synchronized Policy skipped(String policy) {
        Policy ofRequest = policyAmong(skipped, policy);
        return ofRequest != null || ofMethod(policy) != null || hasDecided(policy)
                ? ofRequest
                : policyAmong(skippedKeys, policy);
    }

    private static Policy policyAmong(List<Limit> limits, String policy) {
        return limits.stream()
                .filter(limit -> limit.name().equals(policy))
                .map(limit -> limit.policy().numbers().policy())
                .findFirst()
                .orElse(null);
    }

    /** Notes a limit whose units the method acquires. A forwarded request may note it twice. */
    synchronized void leaveToMethod(MethodLimit limit) {
        List<MethodLimit> all = new ArrayList<>(ofMethod);
        all.removeIf(each -> each.name().equals(limit.name()));
        all.add(limit);
        ofMethod = all;
    }

    /** The limits whose units the method acquires, in the order of their declaration. */
    synchronized List<MethodLimit> ofMethod() {
        return ofMethod;
    }

    /** The limit whose units the method acquires; null if there is none of this name. */
    synchronized MethodLimit ofMethod(String policy) {
        for (MethodLimit each : ofMethod) {
            if (each.name().equals(policy)) {
                return each;
            }
        }
        return null;
    }

    /**
     * The limit whose units the method acquires.
     *
     * @throws IllegalArgumentException if there is none of this name, with what to write
     */
    synchronized MethodLimit requireOfMethod(String policy) {
        MethodLimit limit = ofMethod(policy);
        if (limit != null) {
            return limit;
        }
        if (hasDecided(policy)) {
            throw new IllegalArgumentException("the filter charges policy \"" + policy
                    + "\"; declare it with cost = \"0\" to acquire and settle its units, or call charge(\"" + policy
                    + "\", units)");
        }
        throw new IllegalArgumentException("no policy \"" + policy
                + "\" with cost = \"0\" stands before this request; "
                + Suggestions.suggest(
                        policy, ofMethod.stream().map(MethodLimit::name).toList()));
    }

    /**
     * The admissions of the method since it last settled this policy, which are settled from now
     * on. What the status has given back, and what did not fit into the counter of a soft limit, is
     * not among them: all that was used is charged then. Null if there are none, and the method has
     * settled before.
     */
    synchronized List<Decision.Admitted> takeUnsettled(MethodLimit limit) {
        Integer before = settled.get(limit.name());
        List<Decision.Admitted> open = new ArrayList<>(1);
        boolean nothingNew = before != null;
        for (int i = before == null ? 0 : before; i < decisions.size(); i++) {
            RequestDecision each = decisions.get(i);
            if (each.limits().contains(limit.limit()) && each.decision() instanceof Decision.Admitted admission) {
                nothingNew = false;
                boolean stays =
                        i >= decidedBeforeReturn || limit.limit().countOn().containsAny(returning);
                if (stays && !isUncounted(admission, limit.name())) {
                    open.add(admission);
                }
            }
        }
        settled = new HashMap<>(settled);
        settled.put(limit.name(), decisions.size());
        return nothingNew ? null : open;
    }

    private static boolean isUncounted(Decision.Admitted admission, String policy) {
        return admission.results().stream()
                .filter(result -> result.policy().name().equals(policy))
                .anyMatch(result -> !result.admitted() && result.policy().enforcement() == Enforcement.SOFT);
    }

    /** Replaces the last decision, whose units have been given back. */
    void replaceLast(RequestDecision otherwise) {
        forgetLast();
        add(otherwise);
    }

    /** Removes the last decision, whose units have been given back. */
    public void forgetLast() {
        LeaseRenewer.HeldLease lease = null;
        synchronized (this) {
            RequestDecision last = decisions.remove(decisions.size() - 1);
            boolean leased = last.decision() instanceof Decision.Admitted admission && hasLease(admission);
            if (leased && !leases.isEmpty()) {
                lease = leases.remove(leases.size() - 1); // earlier leases belong to work that still runs
            }
        }
        if (lease != null) {
            lease.release();
        }
    }

    /**
     * Notes a charge after the decision, so that the response shows the present rest.
     *
     * @param check of the partition that was charged
     */
    synchronized void charged(Check check, ChargeResult charge) {
        charges = charges.isEmpty() ? new LinkedHashMap<>() : charges;
        charges.remove(Charged.Partition.of(check));
        charges.put(Charged.Partition.of(check), new Charged(check, decisions.size(), charge));
    }

    /**
     * What the limiter said last of a partition, as a charge of 0 units; null if this request
     * has not asked or charged it, or did so with other numbers.
     */
    synchronized ChargeResult last(Check partition) {
        Charged charge = charges.get(Charged.Partition.of(partition));
        int since = charge == null ? 0 : charge.decisionsBefore;
        for (int i = decisions.size() - 1; i >= since; i--) {
            CheckResult result = decisions.get(i).resultOf(partition);
            if (result != null) {
                return result.policy().equals(partition.policy()) ? ChargeResult.ofNothing(result) : null;
            }
        }
        return charge != null && charge.check.policy().equals(partition.policy()) ? charge.ofNothing() : null;
    }

    /** The last charges of policies that have decided nothing since, by policy. */
    private Map<String, Charged> chargesAfterDecisions() {
        Map<String, Charged> last = new HashMap<>();
        charges.values().forEach(charge -> last.put(charge.policy(), charge));
        for (int i = 0; i < decisions.size(); i++) {
            for (Limit limit : decisions.get(i).limits()) {
                Charged charge = last.get(limit.name());
                if (charge != null && charge.decisionsBefore <= i) {
                    last.remove(limit.name());
                }
            }
        }
        return last;
    }

    /** Adds the time for which the request was held for its slot. */
    public synchronized void slotWaited(double millis) {
        heldMillis += millis;
    }

    /**
     * How long the request was held since the last call, in ms. A forwarded request may be
     * reported twice.
     */
    public synchronized double takeHeldMillis() {
        double taken = heldMillis;
        heldMillis = 0;
        return taken;
    }

    /** All decisions so far, in their order. */
    public synchronized List<Decision> decisions() {
        return decisions.stream().map(RequestDecision::decision).toList();
    }

    /**
     * The results for the response: the last result of each published policy. A policy whose
     * units come back when the response is finished is left out, since its number would be wrong
     * by then. While the status is not known, policies whose units may come back are left out.
     */
    public synchronized List<PublishedResult> published() {
        if (decisions.isEmpty()) {
            return List.of();
        }
        Map<String, PublishedResult> published = new LinkedHashMap<>();
        decisions.forEach(each -> each.publishTo(published));
        if (!charges.isEmpty()) {
            chargesAfterDecisions()
                    .forEach((policy, charge) ->
                            published.computeIfPresent(policy, (same, before) -> before.after(charge.result)));
        }
        if (conditional && !countsAnyway(status)) {
            List<Integer> known = status == 0 ? List.of() : judged(status);
            for (int i = 0; i < decisions.size(); i++) {
                int place = i;
                decisions.get(i).comingBack(known).stream()
                        .filter(policy -> place >= settled.getOrDefault(policy, 0))
                        .forEach(published::remove);
            }
        }
        return List.copyOf(published.values());
    }

    /**
     * The last check of a policy that this request has asked.
     *
     * @throws IllegalArgumentException if it has not asked that policy, with the nearest one
     *     that it has asked
     */
    synchronized Check lastCheck(String policy) {
        for (int i = decisions.size() - 1; i >= 0; i--) {
            for (Check check : decisions.get(i).group().checks()) {
                if (check.policy().name().equals(policy)) {
                    return check;
                }
            }
        }
        List<String> known = decisions.stream()
                .flatMap(each -> each.limits().stream())
                .map(Limit::name)
                .toList();
        throw new IllegalArgumentException(
                "policy \"" + policy + "\" has not counted this request; " + Suggestions.suggest(policy, known));
    }

    /** The decision that rejected this request; null if none did. Only the last one can. */
    synchronized Decision.Rejected rejection() {
        return !decisions.isEmpty()
                        && decisions.get(decisions.size() - 1).decision() instanceof Decision.Rejected rejected
                ? rejected
                : null;
    }

    /**
     * The wait in the response to a rejection: the same number, whatever the jitter, in body and
     * header.
     */
    synchronized long retryAfterSeconds(RetryAfterHeader header) {
        if (retryAfterSeconds == 0) {
            retryAfterSeconds = header.seconds(rejection());
        }
        return retryAfterSeconds;
    }

    /**
     * Notes the status of the response. If the response cannot be written, there may be another.
     * The request counts by each of them: its client may have caused the failure, as by an
     * {@code Accept} that no writer can obey.
     */
    public synchronized void respondsWith(int code) {
        if (status != 0 && status != code) {
            earlier = new ArrayList<>(earlier);
            earlier.add(status);
        }
        status = code;
        broken = false;
    }

    /**
     * Notes that the last byte of the response is written. Units that its status does not count
     * come back, and leases end.
     */
    void finished() {
        finish(status());
    }

    private synchronized int status() {
        return status;
    }

    /**
     * Notes that the response broke off, and ends its leases. If the client went away, the
     * request counts. If the server makes another response, as when a body cannot be serialized,
     * that response decides.
     */
    public void brokeOff() {
        markBroken();
        releaseLeases();
    }

    /**
     * Notes that the server could not write the response, and ends the leases. The client is gone,
     * so the request counts, whatever status the server names after that.
     */
    void clientLeft() {
        markLeft();
        brokeOff();
    }

    private synchronized void markLeft() {
        left = true;
    }

    /** Whether the response may give units back. */
    synchronized boolean isConditional() {
        return conditional;
    }

    private synchronized void markBroken() {
        broken = true;
    }

    /**
     * Notes that the body of the request could not be read. Then the client left, or sent what is
     * no body: an error of the server after it is one of the client.
     */
    public synchronized void bodyUnread() {
        unread = true;
    }

    /**
     * Notes that the request ended with this status. Leases that it takes later are not renewed.
     */
    public void ended(int code) {
        markOver();
        finish(code);
    }

    private synchronized void markOver() {
        over = true;
    }

    private void finish(int code) {
        notCounting(code).forEach(application.end()::giveBack);
        releaseLeases();
    }

    /** The statuses by which a request counts that ends with this one. */
    private List<Integer> judged(int code) {
        List<Integer> all = new ArrayList<>(earlier);
        if (status != 0) {
            all.add(status);
        }
        all.add(code);
        if (unread) {
            all.replaceAll(each -> each >= SERVER_ERROR ? CLIENT_ERROR : each);
        }
        return all;
    }

    /**
     * Whether this response counts for all limits. If no type for the entity is in the client's
     * range, servers put an error in the place of the method's response, and tell no filter.
     */
    private boolean countsAnyway(int code) {
        return errorsCount && code >= CLIENT_ERROR;
    }

    private synchronized List<Decision.Admitted> notCounting(int code) {
        boolean before = hasFinished;
        hasFinished = true;
        if (!before && code < CLIENT_ERROR) {
            ofMethod.forEach(limit -> application.end().unacquired().ended(limit, caller.endpoint(), isUsed(limit)));
        }
        if (before || !conditional || left || countsAnyway(code) || broken && (code == status || status == 0)) {
            return List.of();
        }
        decidedBeforeReturn = decisions.size();
        returning = judged(code);
        List<Decision.Admitted> back = new ArrayList<>(1);
        for (int i = 0; i < decisions.size(); i++) {
            int place = i;
            decisions
                    .get(i)
                    .notCounting(returning, policy -> place < settled.getOrDefault(policy, 0))
                    .ifPresent(back::add);
        }
        return back;
    }

    /** Whether the method has acquired, charged or settled units of a limit. */
    private boolean isUsed(MethodLimit limit) {
        return settled.containsKey(limit.name())
                || charges.keySet().stream().anyMatch(charge -> charge.policy().equals(limit.name()))
                || hasDecided(limit.name());
    }

    /** Ends the leases: the request is not in flight any more. */
    void releaseLeases() {
        takeLeases().forEach(LeaseRenewer.HeldLease::release);
    }

    private synchronized List<LeaseRenewer.HeldLease> takeLeases() {
        List<LeaseRenewer.HeldLease> held = List.copyOf(leases);
        leases.clear();
        return held;
    }

    private static boolean hasLease(Decision.Admitted admission) {
        for (CheckResult result : admission.results()) {
            if (isLease(result.policy())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isLease(Policy policy) {
        return policy.rules().leases();
    }
}
