package dev.limiter.operations.internal;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.PartitionKey;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.internal.store.CachedRejections;
import dev.limiter.internal.store.ScriptStore;
import dev.limiter.jaxrs.QuotaSource;
import dev.limiter.jaxrs.internal.bootstrap.OperatedApplication;
import dev.limiter.jaxrs.internal.bootstrap.Operations;
import dev.limiter.jaxrs.internal.platform.LogText;
import dev.limiter.operations.LimitChange;
import dev.limiter.spi.RateLimiterProvider;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;

/** Connects the parts of this module in one application, and puts changes in force there. */
public final class OperationsOfApplication implements Operations {
    private static final System.Logger LOG = System.getLogger("dev.limiter.operations");

    /** Begins the part of a report that has rejections. */
    static final String REJECTIONS = "rejections\n";

    final OperatedApplication application;
    private final Endpoints endpoints;
    /** An observer that is slow delays no request. */
    private final ExecutorService observers = Executors.newSingleThreadExecutor(OperationsOfApplication::thread);

    volatile RateLimiter limiter;
    volatile SharedText text;
    volatile LiveChanges changes;
    volatile Candidates candidates;
    volatile Bans bans;
    volatile Rejections rejections;
    private volatile Forgiven forgiven;
    private volatile Consumer<Object> events = event -> {};
    /** Whether this instance may have recorded anything of a caller. */
    private volatile boolean started;

    private volatile boolean closed;

    /** For {@link java.util.ServiceLoader}. */
    public static final class Provider implements Operations.Provider {
        /** For {@link java.util.ServiceLoader}. */
        public Provider() {}

        @Override
        public Operations begin(OperatedApplication application) {
            return new OperationsOfApplication(application);
        }
    }

    private OperationsOfApplication(OperatedApplication application) {
        this.application = application;
        this.endpoints = new Endpoints(application.settings(), this::ownLimits);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(null, work, "limiter-operations-events", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(OperationsOfApplication.class.getClassLoader());
        return thread;
    }

    @Override
    public RateLimiter over(RateLimiter found) {
        limiter = found;
        events = OperatedApplication.events().orElse(events);
        text = found.unwrap(ScriptStore.class)
                .<SharedText>map(RedisText::new)
                .orElseGet(
                        () -> new MemoryText(found.unwrap(InstantSource.class).orElse(InstantSource.system())));
        candidates = new Candidates(found, application::candidate, application::candidateVersion);
        bans = new Bans(candidates);
        forgiven = new Forgiven(bans, bans, this::digest);
        rejections = new Rejections(forgiven, System::nanoTime, application::has);
        warnOfOtherInstances(found);
        changes = new LiveChanges(text, System::nanoTime, LiveChanges.MOST_WAIT_MILLIS, this::adopt);
        changes.start();
        started = true;
        application.readBy(changes::beforeRequest);
        if (closed) {
            changes.close();
        }
        return rejections;
    }

    private void warnOfOtherInstances(RateLimiter found) {
        int instances = RateLimiterProvider.EXPECTED_INSTANCES.in(application.settings());
        if (instances > 1 && found.unwrap(ScriptStore.class).isEmpty()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Limits are kept in memory, and there are {0} instances ({1}): what an operator changes or"
                            + " forgives holds only on the instance that answers",
                    instances,
                    RateLimiterProvider.EXPECTED_INSTANCES.name());
        }
    }

    @Override
    public void configure(ResourceInfo method, FeatureContext context) {
        endpoints.configure(method, context);
    }

    @Override
    public void close() {
        closed = true;
        if (changes != null) {
            changes.close();
        }
        observers.shutdownNow();
    }

    /** What an operator of this name may do. */
    public Operator operator(String name) {
        application.limits().limiter(); // its first use begins the module
        changes.beforeRequest();
        return new Operator(this, name);
    }

    /** The limits of a caller, read in one call of the store. */
    private Response ownLimits(ContainerRequestContext request) {
        List<OperatedApplication.CallerLimit> limits = application.concerning(request);
        List<Check> checks =
                limits.stream().map(OperationsOfApplication::unheld).toList();
        List<Map<String, Object>> rows = new ArrayList<>();
        try {
            List<CheckResult> results = checks.isEmpty()
                    ? List.of()
                    : application.limits().limiter().peek(new CheckGroup(checks));
            for (int i = 0; i < results.size(); i++) {
                rows.add(Operator.described(limits.get(i).tier(), results.get(i)));
            }
        } catch (StoreUnavailableException away) {
            return new RefusedException(Response.Status.SERVICE_UNAVAILABLE, "The store has not answered in time")
                    .response(request.getHeaders().get(HttpHeaders.ACCEPT));
        }
        return Response.ok(Map.of("limits", rows), MediaType.APPLICATION_JSON_TYPE)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .build();
    }

    /** A group asks one slot of a queue at most, and these are only read. */
    private static Check unheld(OperatedApplication.CallerLimit limit) {
        Check check = limit.check();
        boolean isHeld = check.policy().rules().delays();
        return isHeld ? new Check(check.policy().asShadow(), check.key(), check.cost()) : check;
    }

    /**
     * The name of a partition among the changes: a digest, as keys of the store have it. Without a
     * store it is the whole key, which does not leave this process.
     */
    String digest(PartitionKey key) {
        return limiter.unwrap(ScriptStore.class)
                .map(store -> new String(store.key("operations", key), StandardCharsets.US_ASCII))
                .map(name -> name.substring(name.indexOf('{') + 1, name.indexOf('}')))
                .orElseGet(() -> URLEncoder.encode(key.text(), StandardCharsets.UTF_8));
    }

    private void adopt(Changes before, Changes now) {
        if (!now.lasting().equals(before.lasting())) {
            application.change(settings(now), callers(now));
            candidates.retain();
        }
        forgiven.retain(now.of(Change.TAKEN_BACK));
        Set<Change> known = Set.copyOf(before.all());
        List<Change> begun =
                now.all().stream().filter(each -> !known.contains(each)).toList();
        for (Change each : before.lasting()) {
            if (now.find(each.kind(), each.policy(), each.partition()).isEmpty()) {
                Change end = now.find(Change.TAKEN_BACK, each.policy(), each.partition())
                        .filter(takenBack -> takenBack.atMillis() >= each.atMillis())
                        .orElse(each);
                tell(LimitChange.Kind.OVER, each, end);
            }
        }
        for (Change each : begun) {
            switch (each.kind()) {
                case Change.ASKED -> report(each);
                case Change.TAKEN_BACK -> forgive(each);
                case Change.OF_POLICY, Change.OF_CALLER -> tell(LimitChange.Kind.IN_FORCE, each, each);
                default -> {} // of a later release
            }
        }
    }

    private void forgive(Change takenBack) {
        if (!takenBack.partition().isEmpty() && started) {
            forgiven.add(takenBack);
            limiter.unwrap(CachedRejections.class).ifPresent(CachedRejections::forgetAll);
            tell(LimitChange.Kind.FORGIVEN, takenBack, takenBack);
        }
    }

    private void report(Change asked) {
        try {
            text.report(Long.toString(asked.atMillis()), report());
        } catch (StoreUnavailableException away) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "An operator has asked whom limits reject; this instance could not report: {0}",
                    away.getMessage());
        }
    }

    /** What this instance has rejected; then a part for each candidate. */
    List<String> report() {
        List<String> parts = new ArrayList<>(List.of(REJECTIONS + rejections.report(this::digest)));
        parts.addAll(candidates.report());
        return parts;
    }

    /** The changes of policies, as settings. */
    static Map<String, String> settings(Changes changes) {
        Map<String, String> settings = new TreeMap<>();
        changes.of(Change.OF_POLICY)
                .forEach(change -> change.values()
                        .forEach((member, value) ->
                                settings.put("limiter.policy." + change.policy() + '.' + member, value)));
        return settings;
    }

    private Map<String, Function<PartitionKey, QuotaSource.Quota>> callers(Changes changes) {
        Map<String, Map<String, QuotaSource.Quota>> quotas = new HashMap<>();
        changes.of(Change.OF_CALLER)
                .forEach(change -> quotas.computeIfAbsent(change.policy(), policy -> new HashMap<>())
                        .put(change.partition(), quota(change.values())));
        Map<String, Function<PartitionKey, QuotaSource.Quota>> callers = new HashMap<>();
        quotas.forEach((policy, ofPartition) -> callers.put(policy, key -> ofPartition.get(digest(key))));
        return callers;
    }

    static QuotaSource.Quota quota(Map<String, String> values) {
        return new QuotaSource.Quota(
                Long.parseLong(values.get("limit")), Long.parseLong(values.getOrDefault("burst", "0")), false);
    }

    /** @param cause what has begun or ended the change */
    private void tell(LimitChange.Kind kind, Change change, Change cause) {
        boolean hasEnd = change.untilMillis() != 0 && kind == LimitChange.Kind.IN_FORCE;
        Optional<Instant> until = hasEnd ? Optional.of(Instant.ofEpochMilli(change.untilMillis())) : Optional.empty();
        boolean ofOneCaller = !change.partition().isEmpty();
        LOG.log(
                System.Logger.Level.INFO,
                "{0}: {1}policy \"{2}\" {3}, by \"{4}\" because \"{5}\"{6}",
                kind,
                ofOneCaller ? "one caller of " : "",
                change.policy(),
                LogText.of(change.values().toString()),
                LogText.of(cause.by()),
                LogText.of(cause.because()),
                until.map(end -> ", until " + end).orElse(""));
        LimitChange event = new LimitChange(
                kind, change.policy(), ofOneCaller, change.values(), cause.by(), cause.because(), until);
        try {
            observers.execute(() -> observe(event));
        } catch (RejectedExecutionException ended) {
            // The application ends, and its observers with it.
        }
    }

    private void observe(LimitChange event) {
        try {
            events.accept(event);
        } catch (RuntimeException thrown) {
            LOG.log(System.Logger.Level.WARNING, "An observer of LimitChange threw; the change is in force", thrown);
        }
    }
}
