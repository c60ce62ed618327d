package dev.limiter.jaxrs.internal.request;

import dev.limiter.Decision;
import dev.limiter.RateLimitExceededException;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.RateLimits;
import dev.limiter.jaxrs.internal.policy.Limit;
import dev.limiter.jaxrs.internal.response.AcceptHeader;
import dev.limiter.jaxrs.internal.response.PublishedResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The decisions of one request, its leases, its status and its end. A caller may report the end
 * of the request several times. Units that the response does not count come back once. Leases
 * come back once. {@link RequestLimits} has what the method asks and charges.
 */
public final class RequestState implements Supplier<RateLimits> {
    private static final int CLIENT_ERROR = 400;
    private static final int SERVER_ERROR = 500;

    private enum Phase {
        RUNNING,
        /** The status is known, and units that it does not count have come back. */
        ANSWERED,
        /** The server may use the objects of the request for another one. */
        ENDED
    }

    final RequestServices services;
    private final boolean endIsCertain;
    private final Supplier<Collection<String>> exposedAround;
    final List<RequestDecision> decisions = new ArrayList<>(2);
    private final List<LeaseRenewer.HeldLease> leases = new ArrayList<>(0);
    /** The request as its limits last saw it; null if no limit has seen it. */
    private LimitedRequest caller;
    /** Null unless the method, or a limit that is left to it, needs it. */
    private RequestLimits limits;

    private double heldMillis;
    private long retryAfterSeconds;
    private int status;
    /** The statuses of earlier responses, which could not be written. */
    private List<Integer> earlier = List.of();

    /** Whether a response may give units back, since some status does not count for a limit. */
    private boolean conditional;

    /** Whether an error may hide the response of the method, for its client wanted so. */
    private boolean errorsCount;

    private boolean clientFailed;
    private boolean brokenOff;
    private boolean clientLeft;
    private Phase phase = Phase.RUNNING;
    /** How many decisions there were when units came back, and by which statuses. */
    private int decidedBeforeReturn;

    private List<Integer> returning = List.of();

    RequestState(RequestServices services, boolean endIsCertain, Supplier<Collection<String>> exposedAround) {
        this.services = services;
        this.endIsCertain = endIsCertain;
        this.exposedAround = exposedAround;
    }

    @Override
    public RateLimits get() {
        return limits();
    }

    /** The limits of this request for its method, made by the first call. */
    public synchronized RequestLimits limits() {
        if (limits == null) {
            limits = new RequestLimits(this);
        }
        return limits;
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
    public synchronized List<Limit> notYetDecided(List<Limit> asked) {
        if (decisions.isEmpty()) {
            return asked;
        }
        return asked.stream()
                .filter(limit -> decisions.stream()
                        .map(each -> each.of(limit.name()))
                        .allMatch(known -> known == null || known.limit().isForKeyOfCode()))
                .toList();
    }

    /**
     * Notes the request, of which the method may ask further policies. Returns those limits that
     * have not counted it yet.
     */
    synchronized List<Limit> meets(List<Limit> asked, LimitedRequest request) {
        caller = request;
        List<Limit> open = notYetDecided(asked);
        for (Limit limit : open) {
            if (limit.mayComeBack(List.of())) {
                errorsCount = AcceptHeader.namesRange(request.headers("Accept"));
                break;
            }
        }
        return open;
    }

    /** The request as its limits last saw it; null if no limit has seen it, or it has ended. */
    synchronized LimitedRequest caller() {
        return phase == Phase.ENDED ? null : caller;
    }

    public synchronized void add(RequestDecision decided) {
        decisions.add(decided);
        for (BoundLimit each : decided.asked()) {
            conditional |= each.limit().mayComeBack(List.of());
        }
        retryAfterSeconds = 0;
        if (decided.hasLease() && decided.decision() instanceof Decision.Admitted admission) {
            boolean renew = endIsCertain && phase != Phase.ENDED;
            leases.add(services.leases()
                    .hold(admission.only(policy -> policy.rules().leases()), renew));
        }
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
            if (last.hasLease() && !leases.isEmpty()) {
                lease = leases.remove(leases.size() - 1); // earlier leases belong to work that still runs
            }
        }
        if (lease != null) {
            lease.release();
        }
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

    /** Whether the units of a limit in a decision have come back. */
    synchronized boolean cameBack(int place, Limit limit) {
        return place < decidedBeforeReturn && limit.mayComeBack(returning);
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
        if (limits != null) {
            limits.publishTo(published);
        }
        if (conditional && !countsAnyway(status)) {
            List<Integer> known = status == 0 ? List.of() : judged(status);
            for (int i = 0; i < decisions.size(); i++) {
                refundablePolicies(i, known).forEach(published::remove);
            }
        }
        return List.copyOf(published.values());
    }

    /** The policies of a decision whose units come back: none that the method has settled. */
    private List<String> refundablePolicies(int place, List<Integer> statuses) {
        return decisions.get(place).mayComeBack(statuses).stream()
                .filter(policy -> limits == null || !limits.isSettled(policy, place))
                .toList();
    }

    /** Whether a response may show something of this request. */
    synchronized boolean hasNews() {
        return !decisions.isEmpty() || heldMillis > 0;
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
    synchronized long retryAfterSeconds() {
        if (retryAfterSeconds == 0) {
            retryAfterSeconds = services.retryAfter().seconds(rejection());
        }
        return retryAfterSeconds;
    }

    /** The exception for the rejection, for a caller that is no client of HTTP. */
    public RateLimitExceededException exceeded() {
        return new RateLimitExceededException(rejection(), retryAfterSeconds());
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
        brokenOff = false;
    }

    /** Whether the response may give units back. */
    synchronized boolean isConditional() {
        return conditional;
    }

    /** Whether the end of the request may have to ask the store: for leases, or units. */
    public synchronized boolean mayGiveBack() {
        return !leases.isEmpty() || conditional && phase == Phase.RUNNING;
    }

    /**
     * Notes that the body of the request could not be read, or that the connection broke. Then the
     * client left, or sent what is no body: an error of the server after it is one of the client.
     */
    public synchronized void clientFailed() {
        clientFailed = true;
    }

    /**
     * Notes that the response broke off, and ends its leases. If the client went away, the
     * request counts. If the server makes another response, as when a body cannot be serialized,
     * that response decides.
     */
    public void brokeOff() {
        synchronized (this) {
            brokenOff = true;
        }
        releaseLeases();
    }

    /**
     * Notes that the server could not write the response, and ends the leases. The client is gone,
     * so the request counts, whatever status the server names after that.
     */
    void clientLeft() {
        synchronized (this) {
            clientLeft = true;
        }
        brokeOff();
    }

    /**
     * Notes that the last byte of the response is written. Units that its status does not count
     * come back, and leases end.
     */
    public void finished() {
        int code;
        synchronized (this) {
            code = status;
        }
        finish(code, Phase.ANSWERED);
    }

    /** Notes that the request ended with this status. Later leases are not renewed. */
    public void ended(int code) {
        finish(code, Phase.ENDED);
    }

    private void finish(int code, Phase next) {
        refundsFor(code, next).forEach(services::giveBack);
        releaseLeases();
    }

    /** Ends the leases: the request is not in flight any more. */
    public void releaseLeases() {
        List<LeaseRenewer.HeldLease> held;
        synchronized (this) {
            held = List.copyOf(leases);
            leases.clear();
        }
        held.forEach(LeaseRenewer.HeldLease::release);
    }

    /** What a status gives back; nothing a second time. */
    private synchronized List<Decision.Admitted> refundsFor(int code, Phase next) {
        boolean first = phase == Phase.RUNNING;
        phase = phase == Phase.ENDED ? phase : next;
        if (first && code < CLIENT_ERROR && limits != null) {
            limits.tellUnreserved(caller);
        }
        boolean unfinished = clientLeft || brokenOff && (code == status || status == 0);
        if (!first || !conditional || unfinished || countsAnyway(code)) {
            return List.of();
        }
        decidedBeforeReturn = decisions.size();
        returning = judged(code);
        List<Decision.Admitted> back = new ArrayList<>(1);
        for (int i = 0; i < decisions.size(); i++) {
            List<String> policies = refundablePolicies(i, returning);
            if (!policies.isEmpty() && decisions.get(i).decision() instanceof Decision.Admitted admission) {
                back.add(admission.only(policy -> policies.contains(policy.name())));
            }
        }
        return back;
    }

    /** The statuses by which a request counts that ends with this one. */
    private List<Integer> judged(int code) {
        List<Integer> all = new ArrayList<>(earlier);
        if (status != 0) {
            all.add(status);
        }
        all.add(code);
        if (clientFailed) {
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
}
