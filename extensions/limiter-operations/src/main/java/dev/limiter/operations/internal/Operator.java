package dev.limiter.operations.internal;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.internal.store.CachedRejections;
import dev.limiter.jaxrs.QuotaSource;
import dev.limiter.jaxrs.internal.bootstrap.OperatedApplication;
import dev.limiter.jaxrs.internal.bootstrap.OperatedApplication.PolicyInForce;
import dev.limiter.jaxrs.internal.platform.LogText;
import dev.limiter.jaxrs.internal.policy.PolicyText;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What one operator asks and changes. Results are maps, which any provider of JSON writes.
 *
 * @param by the name of the operator
 */
public record Operator(OperationsOfApplication operations, String by) {
    private static final int MOST_CHARACTERS = PartitionKey.MAX_VALUE_LENGTH;
    private static final long FORGIVEN_MILLIS = 20_000;
    private static final long ASKED_MILLIS = 2_000;
    private static final long REPORTING_MILLIS = 1_000;

    /** Each policy with its numbers and where they come from, and the nodes of the store. */
    public Map<String, Object> all() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("policies", application().policies().stream().map(this::policy).toList());
        all.put("callers", ofCallers());
        Map<String, Object> store = new LinkedHashMap<>();
        application()
                .store()
                .forEach((node, state) -> store.put(
                        node,
                        state.reachable()
                                ? "reachable"
                                : "unreachable since " + state.since() + ": " + state.reason()));
        all.put("store", store);
        return all;
    }

    private Map<String, Object> policy(PolicyInForce inForce) {
        Policy policy = inForce.policy();
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("policy", policy.name());
        row.put("is", PolicyText.of(policy));
        row.put("enforcement", policy.enforcement().name());
        row.put("enabled", inForce.enabled());
        Map<String, String> tiers = new LinkedHashMap<>();
        inForce.tiers().forEach((tier, each) -> tiers.put(tier, each == null ? "unlimited" : PolicyText.of(each)));
        row.put("tiers", tiers);
        row.put("from", inForce.origins());
        find(Change.OF_POLICY, policy.name(), "").ifPresent(change -> row.put("change", described(change)));
        return row;
    }

    private List<Map<String, Object>> ofCallers() {
        return changes()
                .present()
                .of(Change.OF_CALLER)
                .map(change -> {
                    Map<String, Object> row = new LinkedHashMap<>();
                    row.put("policy", change.policy());
                    row.put("partition", change.partition());
                    row.putAll(described(change));
                    return row;
                })
                .toList();
    }

    private static Map<String, Object> described(Change change) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("values", change.values());
        row.put("by", change.by());
        row.put("because", change.because());
        if (change.untilMillis() != 0) {
            row.put("until", Instant.ofEpochMilli(change.untilMillis()).toString());
        }
        return row;
    }

    private Optional<Change> find(String kind, String policy, String partition) {
        return changes().present().find(kind, policy, partition);
    }

    public Object change(String policy, ChangeRequest asked) {
        requirePolicy(policy);
        changes().change(now -> {
            Changes next = now.with(made(Change.OF_POLICY, policy, "", asked.values(), asked.span(), asked.because()));
            possible(() -> application().requirePossible(policy, OperationsOfApplication.settings(next)));
            return next;
        });
        return inForce(policy);
    }

    public Object takeBack(String policy) {
        requirePolicy(policy);
        changes().change(now -> now.without(Change.OF_POLICY, policy, ""));
        return inForce(policy);
    }

    private Map<String, Object> inForce(String policy) {
        return application().policies().stream()
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
        List<CheckResult> results = limiter().peek(operations.bans().gated(CheckGroup.of(check)));
        Map<String, Object> row = described(null, results.get(0));
        if (results.size() > 1 && !results.get(1).admitted()) {
            row.put("bannedFor", seconds(results.get(1).retryAfterMicros()));
        }
        row.put(
                "cachedRejection",
                limiter()
                        .unwrap(CachedRejections.class)
                        .map(each -> each.answers(check))
                        .orElse(false));
        row.put("storeKey", limiter().storeKey(check.policy(), check.key()));
        find(Change.OF_CALLER, check.policy().name(), operations.digest(check.key()))
                .ifPresent(change -> row.put("change", described(change)));
        return row;
    }

    /**
     * A result as callers read it.
     *
     * @param tier null for none
     */
    static Map<String, Object> described(String tier, CheckResult result) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("policy", result.policy().name());
        row.put("limit", result.policy().capacity());
        row.put("used", result.used());
        row.put("remaining", result.remaining());
        row.put("resetAfter", seconds(result.resetAfterMicros()));
        if (tier != null) {
            row.put("tier", tier);
        }
        if (result.fallback()) {
            row.put("ofThisInstance", true); // the store is away
        }
        return row;
    }

    private static long seconds(long micros) {
        return TimeUnit.MICROSECONDS.toSeconds(micros + 999_999); // rounded up
    }

    public Object changeCaller(String policy, MultivaluedMap<String, String> caller, ChangeRequest asked) {
        Check check = requireCounted(policy, caller);
        possible(() -> application().requirePossible(policy, quota(asked.values())));
        changes()
                .change(now -> now.with(made(
                        Change.OF_CALLER,
                        policy,
                        operations.digest(check.key()),
                        asked.values(),
                        asked.span(),
                        asked.because())));
        return caller(policy, caller);
    }

    private static QuotaSource.Quota quota(Map<String, String> values) {
        if (!values.containsKey("limit")) {
            throw new IllegalArgumentException("a caller's own numbers need a limit");
        }
        values.values().forEach(PolicyMember.LIMIT::parse);
        return OperationsOfApplication.quota(values);
    }

    /** The state goes first: a rejection that is cached meanwhile is forgotten afterwards. */
    public Object forgive(String policy, MultivaluedMap<String, String> caller) {
        Check check = requireCounted(policy, caller);
        String partition = operations.digest(check.key());
        limiter().reset(check.policy(), check.key());
        operations.bans().forgive(check);
        changes()
                .change(now -> now.without(Change.OF_CALLER, policy, partition)
                        .with(made(
                                Change.FORGIVEN,
                                policy,
                                partition,
                                Map.of(),
                                Duration.ofMillis(FORGIVEN_MILLIS),
                                "forgiven")));
        return caller(policy, caller);
    }

    /** Whom policies reject most, as all instances report it within a second. */
    public Object rejected() {
        changes()
                .change(now -> isAsked(now)
                        ? now
                        : now.with(made(Change.ASKED, "", "", Map.of(), Duration.ofMillis(ASKED_MILLIS), "")));
        String asked = find(Change.ASKED, "", "")
                .map(each -> Long.toString(each.atMillis()))
                .orElse("");
        try {
            TimeUnit.MILLISECONDS.sleep(REPORTING_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        List<String> rejections = new ArrayList<>();
        List<String> candidates = new ArrayList<>();
        for (String report : operations.text().reports()) {
            int end = report.indexOf('\n');
            if (report.substring(0, end).equals(asked)) {
                int candidatesBegin = report.indexOf('\f');
                rejections.add(report.substring(end + 1, candidatesBegin));
                candidates.add(report.substring(candidatesBegin + 1));
            }
        }
        Map<String, Object> sums = new LinkedHashMap<>(Rejections.sum(rejections));
        sums.put("candidates", Candidates.sum(candidates));
        sums.put("instances", rejections.size());
        return sums;
    }

    private boolean isAsked(Changes now) {
        return now.find(Change.ASKED, "", "")
                .filter(each -> changes().nowMillis() - each.atMillis() < ASKED_MILLIS / 2)
                .isPresent();
    }

    private Change made(
            String kind, String policy, String partition, Map<String, String> values, Duration span, String because) {
        long now = changes().nowMillis();
        long until = span.isZero() ? 0 : now + span.toMillis();
        return new Change(kind, policy, partition, values, until, now, by, because);
    }

    private Check requireCounted(String policy, MultivaluedMap<String, String> caller) {
        return check(policy, caller)
                .orElseThrow(() -> new RefusedException(
                        Status.CONFLICT,
                        "Policy \"" + policy + "\" does not count this caller: it is exempt or unlimited"));
    }

    private Optional<Check> check(String policy, MultivaluedMap<String, String> caller) {
        requirePolicy(policy);
        Map<String, String> stated = new LinkedHashMap<>();
        caller.forEach((placeholder, values) -> {
            if (values.size() > 1
                    || (placeholder + values.get(0)).length() > MOST_CHARACTERS
                    || (placeholder + values.get(0)).chars().anyMatch(Character::isISOControl)) {
                throw new RefusedException(
                        Status.BAD_REQUEST,
                        "The caller is stated by one line of text for each placeholder, at most " + MOST_CHARACTERS
                                + " characters");
            }
            stated.put(placeholder, values.get(0));
        });
        try {
            return application().limits().check(policy, stated);
        } catch (IllegalArgumentException wrong) {
            throw new RefusedException(Status.BAD_REQUEST, wrong.getMessage());
        }
    }

    private void requirePolicy(String policy) {
        try {
            application().limits().policy(policy);
        } catch (IllegalArgumentException unknown) {
            throw new RefusedException(Status.NOT_FOUND, LogText.of(unknown.getMessage()));
        }
    }

    private static void possible(Runnable check) {
        try {
            check.run();
        } catch (IllegalArgumentException wrong) {
            throw new RefusedException(Status.BAD_REQUEST, wrong.getMessage());
        }
    }

    private OperatedApplication application() {
        return operations.application();
    }

    private LiveChanges changes() {
        return operations.changes();
    }

    private RateLimiter limiter() {
        return operations.limiter();
    }
}
