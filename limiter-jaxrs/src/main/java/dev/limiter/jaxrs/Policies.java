package dev.limiter.jaxrs;

import dev.limiter.Algorithm;
import dev.limiter.OnStoreFailure;
import dev.limiter.Policy;
import dev.limiter.Refill;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All policies of an application by name: a name is one bucket, so it has one set of numbers. Configuration can change them,
 * and is read again while requests come: the first request after {@value #PAUSE_SECONDS} s reads it.
 */
final class Policies {
    static final long PAUSE_SECONDS = 5;

    private static final System.Logger LOG = System.getLogger("dev.limiter.plan");

    private final Settings settings;
    private final Duration lease;
    private final LongSupplier nanos;
    private final Map<String, Declared> declared = new ConcurrentHashMap<>();
    private final AtomicLong nextReading;
    private final AtomicBoolean namesWereChecked = new AtomicBoolean();
    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private volatile boolean enabled;

    /** Where a policy comes from; without a place from configuration alone. */
    private record Declared(LivePolicy policy, boolean named, Place place) {}

    /**
     * @param lease how long leases last that nobody renews
     * @param nanos a clock that does not step, in ns
     */
    Policies(Settings settings, Duration lease, LongSupplier nanos) {
        this.settings = settings;
        this.lease = lease;
        this.nanos = nanos;
        this.nextReading = new AtomicLong(nanos.getAsLong() + TimeUnit.SECONDS.toNanos(PAUSE_SECONDS));
        this.enabled = settings.flag("limiter.enabled", true);
        for (String name : PolicyMember.declared(settings)) {
            declareInConfiguration(name);
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
            return shared(before, draft, named, place, problems) ? before.policy() : null;
        }
        List<String> unknown = PolicyMember.problems(draft.name(), false, settings);
        problems.addAll(unknown);
        try {
            LivePolicy policy = new LivePolicy(draft, settingsOf(draft.name()).over(draft));
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
            Warnings.ofUnknownPolicies(declared.keySet(), settings);
        }
    }

    private synchronized void readAgain() {
        try {
            boolean now = settings.flag("limiter.enabled", true);
            if (now != enabled) {
                LOG.log(System.Logger.Level.WARNING, "limiter.enabled is now {0}", now);
                enabled = now;
            }
        } catch (InvalidSettingException wrong) {
            refuse(wrong);
        }
        declared.values().forEach(each -> readAgain(each.policy()));
    }

    private void readAgain(LivePolicy policy) {
        try {
            Numbers before = policy.numbers();
            Numbers now = settingsOf(policy.name()).over(policy.draft());
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
        } catch (InvalidSettingException wrong) {
            refuse(wrong);
        }
    }

    private PolicySettings settingsOf(String policy) {
        return new PolicySettings(policy, settings, lease);
    }

    /** What cannot be read changes nothing, and is said once. */
    private void refuse(InvalidSettingException wrong) {
        if (refused.add(wrong.getMessage())) {
            LOG.log(System.Logger.Level.WARNING, "{0}; what was in force stays", wrong.getMessage());
        }
    }

    private void declareInConfiguration(String name) {
        List<String> problems = PolicyMember.problems(name, true, settings);
        if (!problems.isEmpty()) {
            throw new RateLimitDeploymentException(problems);
        }
        Draft nothing = new Draft(
                name, null, 0, null, 0, Refill.SMOOTH, false, null, false, false, Map.of(), OnStoreFailure.CONFIGURED);
        String key = PolicyMember.PREFIX + name + ".key";
        try {
            KeyExpression.compile(settings.value(key).orElse(""));
        } catch (IllegalArgumentException wrong) {
            throw new InvalidSettingException(key, wrong.getMessage());
        }
        requireWhole(name, key);
        LivePolicy policy = new LivePolicy(nothing, settingsOf(name).over(nothing));
        declared.put(name, new Declared(policy, true, null));
    }

    /** A key alone is a declaration that was left unfinished, or was meant for the policy of an annotation. */
    private void requireWhole(String name, String key) {
        boolean leases = settings.value(PolicyMember.PREFIX + name + ".algorithm")
                .filter(algorithm -> algorithm.strip().equalsIgnoreCase(Algorithm.CONCURRENCY.name()))
                .isPresent();
        String missing = Stream.of("algorithm", "limit", "window")
                .filter(member -> !(leases && member.equals("window")))
                .filter(member -> settings.value(PolicyMember.PREFIX + name + '.' + member)
                        .isEmpty())
                .collect(Collectors.joining(", "));
        if (!missing.isEmpty()) {
            throw new InvalidSettingException(
                    key,
                    "declares a policy, which has no " + missing + "; set them, or leave the key out where an"
                            + " annotation declares the policy");
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

    private static boolean shared(Declared before, Draft draft, boolean named, Place place, List<String> problems) {
        Draft other = before.policy().draft();
        if (before.place().equals(place) && other.equals(draft)) {
            return true;
        }
        if (!named || !before.named()) {
            problems.add(place.address("name") + "\"" + draft.name() + "\" is also the name of the limit on "
                    + before.place().identity() + "; give both a name");
            return false;
        }
        String difference = difference(draft, other);
        if (difference != null) {
            problems.add(place.address(difference) + "\"" + draft.name() + "\" is " + text(difference, draft)
                    + " here and " + text(difference, other) + " on "
                    + before.place().shortName()
                    + "; one name is one bucket, so give equal numbers or another name");
            return false;
        }
        return true;
    }

    /** A policy in a few words, among them those of the member in which it differs from another. */
    private static String text(String difference, Draft draft) {
        return switch (difference) {
            case "tiers" -> PolicyText.of(draft.policy()) + " with " + PolicyText.of(draft.tiers());
            case "onStoreFailure" -> PolicyText.of(draft.policy()) + ", on store failure " + draft.onStoreFailure();
            default -> PolicyText.of(draft.policy());
        };
    }

    /** The first member in which two declarations of one name differ; null if they are equal. */
    private static String difference(Draft a, Draft b) {
        Policy one = a.policy();
        Policy other = b.policy();
        if (one.algorithm() != other.algorithm()) {
            return "algorithm";
        }
        if (one.limit() != other.limit()) {
            return "limit";
        }
        if (!one.window().equals(other.window())) {
            return "window";
        }
        if (one.burst() != other.burst()) {
            return "burst";
        }
        if (one.refill() != other.refill()) {
            return "refill";
        }
        if (one.borrow() != other.borrow()) {
            return "borrow";
        }
        if (!one.maxWait().equals(other.maxWait())) {
            return "maxWait";
        }
        if (one.shadow() != other.shadow()) {
            return "shadow";
        }
        if (!Objects.equals(a.tiers(), b.tiers())) {
            return "tiers";
        }
        return a.onStoreFailure() == b.onStoreFailure() ? null : "onStoreFailure";
    }
}
