package dev.limiter.operations.internal;

import dev.limiter.Algorithm.Member;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.StoreUnavailableException;
import dev.limiter.calendar.Usage;
import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.internal.store.CachedRejections;
import dev.limiter.jaxrs.QuotaSource;
import dev.limiter.jaxrs.internal.bootstrap.OperatedApplication.PolicyInForce;
import dev.limiter.jaxrs.internal.platform.LogText;
import dev.limiter.jaxrs.internal.policy.PolicyText;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What one operator asks and changes. Results are maps, which any provider of JSON writes.
 *
 * @param by the name of the operator
 */
public record Operator(OperationsOfApplication operations, String by) {
    private static final int MOST_CHARACTERS = PartitionKey.MAX_VALUE_LENGTH;
    private static final Duration TOLD = Duration.ofDays(1); // an instance may have lost its store meanwhile
    private static final long ASKED_MILLIS = 2_000;
    private static final long REPORTING_MILLIS = 1_000;

    /**
     * Each policy with its numbers, where they come from, and what it has rejected here; and the
     * nodes of the store.
     */
    public Map<String, Object> all() {
        Map<String, Object> store = new LinkedHashMap<>();
        operations
                .application
                .store()
                .forEach((node, state) -> store.put(
                        node,
                        state.reachable()
                                ? "reachable"
                                : "unreachable since " + state.since() + ": " + state.reason()));
        return row(
                "policies",
                        operations.application.policies().stream()
                                .map(this::policy)
                                .toList(),
                "callers",
                        operations
                                .changes
                                .present()
                                .of(Change.OF_CALLER)
                                .map(Operator::ofCaller)
                                .toList(),
                "store", store);
    }

    private Map<String, Object> policy(PolicyInForce inForce) {
        Policy policy = inForce.policy();
        Map<String, String> tiers = new LinkedHashMap<>();
        inForce.tiers().forEach((tier, each) -> tiers.put(tier, each == null ? "unlimited" : PolicyText.of(each)));
        return row(
                "policy", policy.name(),
                "is", PolicyText.of(policy),
                "enforcement", policy.enforcement().name(),
                "enabled", inForce.enabled(),
                "tiers", tiers,
                "from", inForce.origins(),
                "rejectedHereInTenMinutes", operations.rejections.inTenMinutes(policy.name()),
                "change",
                        find(Change.OF_POLICY, policy.name(), "")
                                .map(Operator::described)
                                .orElse(null));
    }

    private static Map<String, Object> ofCaller(Change change) {
        return row("policy", change.policy(), "partition", change.partition(), "change", described(change));
    }

    private static Map<String, Object> described(Change change) {
        return row(
                "values", change.values(),
                "by", change.by(),
                "because", change.because(),
                "until",
                        change.untilMillis() == 0
                                ? null
                                : Instant.ofEpochMilli(change.untilMillis()).toString());
    }

    /** Names and values in turn. A member without a value is left out. */
    private static Map<String, Object> row(Object... members) {
        Map<String, Object> row = new LinkedHashMap<>();
        for (int i = 0; i < members.length; i += 2) {
            if (members[i + 1] != null) {
                row.put((String) members[i], members[i + 1]);
            }
        }
        return row;
    }

    private Optional<Change> find(String kind, String policy, String partition) {
        return operations.changes.present().find(kind, policy, partition);
    }

    public Object change(String policy, ChangeRequest asked) {
        requirePolicy(policy);
        operations.changes.change(now -> {
            requireWhole(now.find(Change.OF_POLICY, policy, ""), asked);
            Changes next = now.with(made(Change.OF_POLICY, policy, "", asked));
            possible(() -> operations.application.requirePossible(policy, OperationsOfApplication.settings(next)));
            return next;
        });
        return inForce(policy);
    }

    /** A change takes the place of the one before, so what that has must not get lost silently. */
    private static void requireWhole(Optional<Change> before, ChangeRequest asked) {
        before.map(Change::values)
                .filter(values -> !asked.values().keySet().containsAll(values.keySet()))
                .ifPresent(values -> {
                    throw new RefusedException(
                            Status.CONFLICT,
                            "The change in force sets " + values + "; repeat what shall stay, or take it back first");
                });
    }

    public Object takeBack(String policy) {
        requirePolicy(policy);
        operations.changes.change(now -> operations.changes.knows(Change.OF_POLICY, policy)
                ? now.without(Change.OF_POLICY, policy, "").with(takenBack(policy, ""))
                : now);
        return inForce(policy);
    }

    private Map<String, Object> inForce(String policy) {
        return operations.application.policies().stream()
                .filter(each -> each.policy().name().equals(policy))
                .findFirst()
                .map(this::policy)
                .orElseThrow();
    }

    /** What a caller has used. */
    public Object caller(String policy, MultivaluedMap<String, String> caller) {
        return check(policy, caller).map(this::used).orElseGet(() -> Map.of("policy", policy, "counted", false));
    }

    private Map<String, Object> used(Check check) {
        List<CheckResult> results = operations.limiter.peek(operations.bans.gated(CheckGroup.of(check)));
        boolean banned = results.size() > 1 && !results.get(1).admitted();
        Map<String, Object> used = described(null, results.get(0));
        used.putAll(row(
                "bannedFor", banned ? seconds(results.get(1).retryAfterMicros()) : null,
                "cachedRejection",
                        operations
                                .limiter
                                .unwrap(CachedRejections.class)
                                .map(each -> each.answers(CheckGroup.of(check)))
                                .orElse(false),
                "storeKey", operations.limiter.storeKey(check.policy(), check.key()),
                "change",
                        find(Change.OF_CALLER, check.policy().name(), operations.digest(check.key()))
                                .map(Operator::described)
                                .orElse(null)));
        return used;
    }

    /**
     * A result as callers read it.
     *
     * @param tier null for none
     */
    static Map<String, Object> described(String tier, CheckResult result) {
        boolean bursts = result.policy().algorithm().accepts(Member.BURST);
        return row(
                "policy", result.policy().name(),
                "limit", result.policy().limit(),
                "burst", bursts ? result.policy().capacity() : null,
                "used", result.used(),
                "remaining", result.remaining(),
                "resetAfter", seconds(result.resetAfterMicros()),
                "tier", tier,
                "ofThisInstance", result.fallback() ? true : null); // the store is away
    }

    private static long seconds(long micros) {
        return TimeUnit.MICROSECONDS.toSeconds(micros + 999_999); // rounded up
    }

    public Object changeCaller(String policy, MultivaluedMap<String, String> caller, ChangeRequest asked) {
        Map<String, String> stated = stated(policy, caller);
        possible(() -> operations.application.requirePossible(policy, quota(asked.values())));
        check(policy, caller); // refuses a caller that is stated in part
        String partition = possible(() -> operations.digest(operations.application.partition(policy, stated)));
        operations.changes.change(now -> now.with(made(Change.OF_CALLER, policy, partition, asked)));
        return caller(policy, caller);
    }

    private static QuotaSource.Quota quota(Map<String, String> values) {
        if (!values.containsKey("limit")) {
            throw new IllegalArgumentException("a caller's own numbers need a limit");
        }
        values.values().forEach(PolicyMember.LIMIT::parse);
        return OperationsOfApplication.quota(values);
    }

    /**
     * The state goes first: a rejection that is cached meanwhile is forgotten afterwards. A window
     * that was changed has another state, to which the end of the change goes back.
     */
    public Object forgive(String policy, MultivaluedMap<String, String> caller) {
        String partition =
                possible(() -> operations.digest(operations.application.partition(policy, stated(policy, caller))));
        check(policy, caller).ifPresent(check -> {
            Stream.of(check.policy(), unchanged(check.policy())).distinct().forEach(each -> {
                operations.limiter.reset(each, check.key());
                operations.bans.forgive(each, check.key());
            });
        });
        operations.changes.change(
                now -> now.without(Change.OF_CALLER, policy, partition).with(takenBack(policy, partition)));
        check(policy, caller)
                .ifPresent(check -> operations
                        .candidates
                        .of(CheckGroup.of(check)) // without numbers of its own by now
                        .forEach(beside ->
                                operations.limiter.reset(beside.candidate().policy(), check.key())));
        return caller(policy, caller);
    }

    private Policy unchanged(Policy policy) {
        return find(Change.OF_POLICY, policy.name(), "")
                .filter(change -> change.values().containsKey("window"))
                .map(change -> operations.application.unchanged(policy.name()))
                .orElse(policy);
    }

    private Change takenBack(String policy, String partition) {
        return made(Change.TAKEN_BACK, policy, partition, new ChangeRequest(Map.of(), TOLD, "taken back"));
    }

    /** What a caller has used in a period of the calendar. */
    public Object usage(String policy, MultivaluedMap<String, String> query, String period) {
        MultivaluedMap<String, String> caller = new MultivaluedHashMap<>(query);
        caller.remove("period");
        Check check = check(policy, caller)
                .orElseThrow(() -> new RefusedException(
                        Status.CONFLICT,
                        "Policy \"" + policy + "\" does not count this caller: it is exempt or unlimited"));
        Usage usage = possible(() -> operations.limiter.usage(
                check.policy(), check.key(), PolicyMember.constant(EnumSet.allOf(Usage.Period.class), period)));
        return row(
                "policy",
                policy,
                "period",
                period,
                "used",
                usage.used(),
                "ends",
                usage.ends().toString());
    }

    /**
     * Whom policies reject most, as all instances report it within a second; without the store, as
     * this one knows it.
     */
    public Object rejected() {
        List<String> parts;
        boolean ofThisInstance = false;
        try {
            parts = reports();
        } catch (StoreUnavailableException away) {
            parts = operations.report();
            ofThisInstance = true;
        }
        Map<Boolean, List<String>> ofRejections = parts.stream()
                .collect(Collectors.partitioningBy(part -> part.startsWith(OperationsOfApplication.REJECTIONS)));
        List<String> rejections = ofRejections.get(true).stream()
                .map(part -> part.substring(OperationsOfApplication.REJECTIONS.length()))
                .toList();
        Map<String, Object> sums =
                new LinkedHashMap<>(Rejections.sum(rejections, operations.rejections.known(operations::digest)));
        sums.put("candidates", Candidates.sum(ofRejections.get(false)));
        sums.put("instances", rejections.size());
        sums.putAll(row("ofThisInstance", ofThisInstance ? true : null));
        return sums;
    }

    private List<String> reports() {
        operations.changes.change(now -> isAsked(now)
                ? now
                : now.with(
                        made(Change.ASKED, "", "", new ChangeRequest(Map.of(), Duration.ofMillis(ASKED_MILLIS), ""))));
        String asked = find(Change.ASKED, "", "")
                .map(each -> Long.toString(each.atMillis()))
                .orElse("");
        try {
            TimeUnit.MILLISECONDS.sleep(REPORTING_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return operations.text.reports(asked);
    }

    private boolean isAsked(Changes now) {
        return now.find(Change.ASKED, "", "")
                .filter(each -> operations.changes.nowMillis() - each.atMillis() < ASKED_MILLIS / 2)
                .isPresent();
    }

    private Change made(String kind, String policy, String partition, ChangeRequest asked) {
        long now = operations.changes.nowMillis();
        long until = asked.span().isZero() ? 0 : now + asked.span().toMillis();
        return new Change(kind, policy, partition, asked.values(), until, now, by, asked.because());
    }

    private Optional<Check> check(String policy, MultivaluedMap<String, String> caller) {
        return possible(() -> operations.application.limits().check(policy, stated(policy, caller)));
    }

    private Map<String, String> stated(String policy, MultivaluedMap<String, String> caller) {
        requirePolicy(policy);
        Map<String, String> stated = new LinkedHashMap<>();
        caller.forEach((placeholder, values) -> {
            if (values.size() > 1
                    || Math.max(placeholder.length(), values.get(0).length()) > MOST_CHARACTERS
                    || (placeholder + values.get(0)).chars().anyMatch(Character::isISOControl)) {
                throw new RefusedException(
                        Status.BAD_REQUEST,
                        "State the caller by one line of text for each placeholder, of at most " + MOST_CHARACTERS
                                + " characters");
            }
            stated.put(placeholder, values.get(0));
        });
        return stated;
    }

    private void requirePolicy(String policy) {
        try {
            operations.application.limits().policy(policy);
        } catch (IllegalArgumentException unknown) {
            throw new RefusedException(Status.NOT_FOUND, LogText.of(unknown.getMessage()));
        }
    }

    private static <T> T possible(Supplier<T> asked) {
        try {
            return asked.get();
        } catch (IllegalArgumentException wrong) {
            throw new RefusedException(Status.BAD_REQUEST, wrong.getMessage());
        }
    }
}
