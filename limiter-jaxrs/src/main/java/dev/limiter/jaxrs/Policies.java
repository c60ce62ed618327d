package dev.limiter.jaxrs;

import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * All policies of an application by name: a name is one bucket, so it has one set of numbers. Configuration can change them,
 * and is read again while requests come: the first request after {@value #PAUSE_SECONDS} s reads it.
 */
final class Policies {
    static final long PAUSE_SECONDS = 2;

    private static final System.Logger LOG = System.getLogger("dev.limiter.plan");

    private final Settings settings;
    private final Duration lease;
    private final LongSupplier nanos;
    private final Supplier<RequestSignals> signals;
    private final Map<String, Declared> declared = new ConcurrentHashMap<>();
    private final AtomicLong nextReading;
    private final AtomicBoolean namesWereChecked = new AtomicBoolean();
    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private volatile boolean enabled;

    /** Where a policy comes from; without a place from configuration alone. */
    record Declared(LivePolicy policy, boolean named, Place place) {}

    /** Policies of which nobody is told anything. */
    Policies(Settings settings, Duration lease, LongSupplier nanos) {
        this(settings, lease, nanos, () -> RequestSignals.UNHEARD);
    }

    /**
     * @param lease how long leases last that nobody renews
     * @param nanos a clock that does not step, in ns
     * @param signals who is told of requests that lack something
     */
    Policies(Settings settings, Duration lease, LongSupplier nanos, Supplier<RequestSignals> signals) {
        this.settings = settings;
        this.lease = lease;
        this.nanos = nanos;
        this.signals = signals;
        this.nextReading = new AtomicLong(nanos.getAsLong() + TimeUnit.SECONDS.toNanos(PAUSE_SECONDS));
        this.enabled = settings.flag("limiter.enabled", true);
        for (String name : PolicyMember.declared(settings)) {
            LivePolicy policy = new ConfiguredPolicy(name, settings).read(settingsOf(name));
            declared.put(name, new Declared(policy, true, null));
            LOG.log(
                    System.Logger.Level.INFO,
                    "Policy \"{0}\" of the configuration: {1}",
                    name,
                    PolicyText.of(policy.numbers().policy()));
        }
    }

    /**
     * Takes a declaration up, with what configuration says of it.
     *
     * @param named whether its name was written, so that another place may share it
     * @return null if it cannot be in force; the problems say why
     */
    synchronized LivePolicy admit(Draft draft, boolean named, Place place, List<String> problems) {
        if (!isPossible(draft, place, problems)) {
            return null;
        }
        Declared before = declared.get(draft.name());
        if (before != null && before.place() == null) {
            problems.add(PolicyMember.PREFIX + draft.name() + ".key: declares a policy that " + place.shortName()
                    + " declares, too; the key of a policy stands in its annotation");
            return null;
        }
        if (before != null) {
            return SharedName.isAllowed(before, draft, named, place, problems) ? before.policy() : null;
        }
        List<String> unknown = PolicyMember.problems(draft.name(), false, settings);
        problems.addAll(unknown);
        try {
            LivePolicy policy = new LivePolicy(draft, settingsOf(draft.name()).over(draft), signals);
            declared.put(draft.name(), new Declared(policy, named, place));
            return policy;
        } catch (InvalidSettingException wrong) {
            problems.add(wrong.getMessage());
            return null;
        }
    }

    /**
     * The policy of a name, declared by an annotation or in configuration.
     *
     * @throws IllegalArgumentException if there is none, with the nearest there is
     */
    LivePolicy named(String name) {
        Declared known = declared.get(name);
        if (known == null) {
            throw new IllegalArgumentException("no policy \"" + name + "\"; "
                    + Nearest.suggest(name, List.copyOf(new TreeSet<>(declared.keySet()))));
        }
        return known.policy();
    }

    /** Whether clients may know of a policy. */
    boolean isPublished(String name) {
        Declared known = declared.get(name);
        return known == null || known.policy().numbers().base().published();
    }

    /** Whether limits are in force at all. */
    boolean enabled() {
        return enabled;
    }

    /** Whether configuration names a tier of a policy. */
    boolean hasTiersInConfiguration(String policy) {
        return !PolicyMember.tiersOf(PolicyMember.PREFIX + policy + '.', settings)
                .isEmpty();
    }

    /** To be called for every request: reads configuration again when it is time. */
    void readAgainWhenDue() {
        long due = nextReading.get();
        long now = nanos.getAsLong();
        if (now - due >= 0 && nextReading.compareAndSet(due, now + TimeUnit.SECONDS.toNanos(PAUSE_SECONDS))) {
            readAgain();
        }
        if (!namesWereChecked.get() && namesWereChecked.compareAndSet(false, true)) {
            warnOfUnknownPolicies();
        }
    }

    private void warnOfUnknownPolicies() {
        try {
            Warnings.ofUnknownPolicies(declared.keySet(), settings);
        } catch (RuntimeException unreadable) {
            refuse(unreadable);
        }
    }

    private synchronized void readAgain() {
        try {
            boolean now = settings.flag("limiter.enabled", true);
            if (now != enabled) {
                LOG.log(System.Logger.Level.WARNING, "limiter.enabled is now {0}", now);
                enabled = now;
            }
        } catch (RuntimeException unreadable) {
            refuse(unreadable);
        }
        Settings once = new OneReading(settings);
        declared.values().forEach(each -> readAgain(each.policy(), once));
    }

    private void readAgain(LivePolicy policy, Settings once) {
        try {
            Numbers before = policy.numbers();
            Numbers now = new PolicySettings(policy.name(), once, lease).over(policy.draft());
            if (!now.equals(before)) {
                policy.become(now);
                LOG.log(
                        System.Logger.Level.INFO,
                        "The configuration of policy \"{0}\" is now [{1}], was [{2}]: {3}",
                        policy.name(),
                        String.join(", ", now.configured()),
                        String.join(", ", before.configured()),
                        PolicyText.of(now.policy()));
            }
        } catch (RuntimeException unreadable) {
            refuse(unreadable);
        }
    }

    private PolicySettings settingsOf(String policy) {
        return new PolicySettings(policy, settings, lease);
    }

    /**
     * What cannot be read changes nothing, and is said once. Whatever a source of the configuration throws, it may be the
     * service's own and down: the request that came by is no reason to say so to a client.
     */
    private void refuse(RuntimeException unreadable) {
        boolean ours = unreadable instanceof InvalidSettingException; // of others' messages each may be another one
        if (refused.add(ours ? unreadable.getMessage() : unreadable.getClass().getName())) {
            String said = ours ? unreadable.getMessage() : unreadable.toString();
            LOG.log(System.Logger.Level.WARNING, "{0}; what was in force stays", said);
        }
    }

    /** Whether the numbers as they were written are a policy; those of configuration are looked at by themselves. */
    private static boolean isPossible(Draft draft, Place place, List<String> problems) {
        Optional<Draft.Impossible> impossible = draft.impossible();
        impossible.ifPresent(found -> problems.add(
                found.tier().isEmpty()
                        ? place.address(found.why().member()) + found.why().getMessage()
                        : place.address("tiers") + "tier \"" + found.tier() + "\": "
                                + found.why().getMessage()));
        return impossible.isEmpty();
    }
}
