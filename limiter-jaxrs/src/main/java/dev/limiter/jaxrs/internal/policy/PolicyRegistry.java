package dev.limiter.jaxrs.internal.policy;

import dev.limiter.Policy;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.platform.Suggestions;
import dev.limiter.jaxrs.internal.quota.ContractQuotas;
import dev.limiter.jaxrs.internal.settings.CachedSettings;
import dev.limiter.jaxrs.internal.settings.LiveSettings;
import dev.limiter.jaxrs.internal.settings.Modules;
import dev.limiter.jaxrs.internal.settings.PolicySettingNames;
import dev.limiter.jaxrs.internal.settings.SettingsCheck;
import dev.limiter.jaxrs.internal.signals.RequestSignals;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Setting;
import dev.limiter.spi.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * All policies of an application by name: a name is one bucket, so it has one declaration.
 * Configuration can change them while the application runs.
 */
public final class PolicyRegistry {
    /** Whether limits are in force at all. */
    public static final Setting<Boolean> ENABLED =
            Setting.flag("limiter.enabled", true).readAgain();

    /** How states beside that of a policy are named: its name, and one of these. */
    private static final List<String> BESIDE = List.of(".candidate", ".gate", ".rejections");

    private static final System.Logger LOG = System.getLogger("dev.limiter.plan");

    private final LiveSettings settings;
    private final Duration lease;
    private final Supplier<RequestSignals> signals;
    private final ContractQuotas contracts;
    private final boolean operated;
    private final OperatorChanges operators;
    private final Map<String, NameConflict.Declared> declared = new ConcurrentHashMap<>();
    private final AtomicBoolean namesWereChecked = new AtomicBoolean();
    private final SettingsCheck unknown = new SettingsCheck();
    private volatile boolean enabled;
    private volatile boolean asksForCallers;

    /** A registry without a listener. */
    public PolicyRegistry(Settings settings, Duration lease, LongSupplier nanos) {
        this(settings, lease, nanos, () -> RequestSignals.NONE, Modules.isOperated());
    }

    /**
     * @param lease how long a lease lasts without renewal
     * @param nanos a clock that does not step, in ns
     * @param signals receives requests that lack a key part or a tier
     * @param operated whether operators may change limits, so that each limit may vary
     * @throws RateLimitDeploymentException with every mistake of the policies that configuration
     *     declares
     */
    public PolicyRegistry(
            Settings settings, Duration lease, LongSupplier nanos, Supplier<RequestSignals> signals, boolean operated) {
        this.settings = new LiveSettings(settings, nanos, this::read);
        this.lease = lease;
        this.signals = signals;
        this.operated = operated;
        this.asksForCallers = operated;
        this.operators = new OperatorChanges(this.settings, lease, operated);
        List<String> problems = new ArrayList<>();
        for (String name : PolicySettingNames.declared(settings)) {
            taken(name).ifPresent(why -> problems.add(PolicySettingNames.PREFIX + name + ".key: " + why));
            try {
                ReloadablePolicy policy = new ConfigurationPolicy(name, settings).read(lease, operated);
                policy.operatedBy(operated ? operators : null);
                declared.put(name, new NameConflict.Declared(policy, null, true, null));
            } catch (InvalidSettingException | RateLimitDeploymentException wrong) {
                problems.add(wrong.getMessage());
            }
        }
        SettingsCheck.refuse(problems);
        this.contracts = new ContractQuotas(settings, nanos, signals);
        this.enabled = ENABLED.in(settings);
    }

    /** Another registry than the one in force: a class that is read into it may never be used. */
    public PolicyRegistry another() {
        return new PolicyRegistry(settings.present(), lease, System::nanoTime);
    }

    /** Logs unknown names in the settings, and the policies of the configuration. */
    public void reportSettings() {
        unknown.warnAtStart(settings.present());
        new TreeMap<>(declared).forEach((name, each) -> {
            if (each.place() == null) {
                LOG.log(
                        System.Logger.Level.INFO,
                        "Policy \"{0}\" of the configuration: {1}",
                        name,
                        PolicyText.of(each.policy().version().policy()));
            }
        });
    }

    /**
     * Adds a declaration, with its configuration.
     *
     * @param choice how its partitions and tiers are chosen
     * @param named whether its name was written, so that another place may share it
     * @return null if it cannot be in force; the problems have the reason
     */
    public synchronized ReloadablePolicy admit(
            PolicyDeclaration written,
            NameConflict.Choice choice,
            boolean named,
            DeclarationSite place,
            List<String> problems) {
        PolicyDeclaration declaration = operated ? written.operated() : written;
        Optional<String> taken = taken(declaration.name());
        taken.ifPresent(why -> problems.add(place.address("name") + why));
        if (taken.isPresent() || !isPossible(declaration, place, problems)) {
            return null;
        }
        NameConflict.Declared before = declared.get(declaration.name());
        if (before != null && before.place() == null) {
            problems.add(PolicySettingNames.PREFIX + declaration.name() + ".key: " + place.shortName()
                    + " declares this policy and its key; remove this");
            return null;
        }
        if (before != null) {
            String conflict = NameConflict.of(before, declaration, choice, named, place);
            Optional.ofNullable(conflict).ifPresent(problems::add);
            return conflict == null ? before.policy() : null;
        }
        problems.addAll(PolicySettingNames.problems(
                declaration.name(), declaration.tiers().keySet(), settings.present()));
        try {
            ReloadablePolicy policy =
                    new ReloadablePolicy(declaration, operators.over(declaration, settings.present()), signals);
            policy.operatedBy(operated ? operators : null);
            declared.put(declaration.name(), new NameConflict.Declared(policy, choice, named, place));
            asksForCallers |= declaration.callerPeriod() != null;
            return policy;
        } catch (InvalidSettingException wrong) {
            problems.add(wrong.getMessage());
            return null;
        }
    }

    /**
     * The policy of a name, declared by an annotation or in configuration.
     *
     * @throws IllegalArgumentException if there is none, with the nearest name
     */
    public ReloadablePolicy named(String name) {
        NameConflict.Declared known = declared.get(name);
        if (known == null) {
            boolean started = declared.values().stream().anyMatch(each -> each.place() != null);
            throw new IllegalArgumentException("no policy \"" + name + "\"; "
                    + Suggestions.suggest(name, List.copyOf(new TreeSet<>(declared.keySet())))
                    + (started ? "" : "; the limits of annotations are known once Jakarta REST has started"));
        }
        return known.policy();
    }

    /** As {@link #named}, after changed settings were read: a job may ask where no request comes. */
    public ReloadablePolicy namedNow(String name) {
        settings.readAgainWhenDue();
        operators.readWhenDue();
        return named(name);
    }

    /** What is in force of a policy; null if there is no such policy. */
    public PolicyVersion version(String name) {
        NameConflict.Declared known = declared.get(name);
        return known == null ? null : known.policy().version();
    }

    /** What operators have changed. */
    public OperatorChanges operators() {
        return operators;
    }

    /** The quotas of partitions that beans have. */
    public ContractQuotas contracts() {
        return contracts;
    }

    /** Whether clients may know of a policy. */
    public boolean isPublished(String name) {
        NameConflict.Declared known = declared.get(name);
        return known == null || known.policy().version().base().published();
    }

    /** Has callers without a limit noted, too: the beans that they call may have limits. */
    public void askForCallers() {
        asksForCallers = true;
    }

    /** Whether callers without a limit are asked for: for their periods, or by operators. */
    public boolean asksForCallers() {
        return asksForCallers;
    }

    /** Whether limits are in force at all. */
    public boolean enabled() {
        return enabled;
    }

    /** Whether configuration names a tier of a policy. */
    public boolean hasTiersInConfiguration(String policy) {
        return !PolicySettingNames.tiersOf(PolicySettingNames.PREFIX + policy + '.', settings.present())
                .isEmpty();
    }

    /** Reads configuration again when it is time. To be called for every request. */
    public void readAgainWhenDue() {
        settings.readAgainWhenDue();
        operators.readWhenDue();
        if (!namesWereChecked.get() && namesWereChecked.compareAndSet(false, true)) {
            settings.attempt(() -> unknown.warn(new CachedSettings(settings.present()), names()));
        }
    }

    /** The policies in force, with those of tiers. */
    public List<Policy> inForce() {
        return declared.values().stream()
                .map(each -> each.policy().version())
                .filter(PolicyVersion::enabled)
                .flatMap(PolicyVersion::policies)
                .toList();
    }

    /** All policies, in the order of their names. */
    public List<ReloadablePolicy> all() {
        return new TreeMap<>(declared)
                .values().stream().map(NameConflict.Declared::policy).toList();
    }

    /** The names of all policies, each with the tiers that its annotation declares. */
    public Map<String, Set<String>> names() {
        Map<String, Set<String>> names = new TreeMap<>();
        declared.forEach((name, each) ->
                names.put(name, each.policy().declaration().tiers().keySet()));
        return names;
    }

    /** Reads what can change while requests run. */
    private Consumer<Set<String>> read(Settings now, List<RuntimeException> problems) {
        AtomicBoolean switchedOn = new AtomicBoolean(enabled);
        Map<ReloadablePolicy, PolicyVersion> versions = new LinkedHashMap<>();
        try {
            switchedOn.set(ENABLED.in(now));
        } catch (RuntimeException unreadable) {
            problems.add(unreadable);
        }
        for (NameConflict.Declared each : declared.values()) {
            ReloadablePolicy policy = each.policy();
            try {
                versions.put(policy, operators.over(policy.declaration(), now));
            } catch (RuntimeException unreadable) {
                problems.add(unreadable);
            }
        }
        return changes -> {
            changes.stream().filter(PolicyRegistry::isReadOnce).forEach(PolicyRegistry::logReadOnce);
            become(switchedOn.get(), versions);
            if (namesWereChecked.get()) { // before a request, annotations may be unknown yet
                settings.attempt(() -> unknown.warn(now, names()));
            }
        };
    }

    private void become(boolean switchedOn, Map<ReloadablePolicy, PolicyVersion> versions) {
        if (switchedOn != enabled) {
            enabled = switchedOn;
            LOG.log(System.Logger.Level.WARNING, "limiter.enabled is now {0}", enabled);
        }
        versions.forEach((policy, now) -> {
            PolicyVersion before = policy.version();
            if (!now.configured().equals(before.configured())) {
                policy.become(now);
                LOG.log(
                        System.Logger.Level.INFO,
                        "The configuration of policy \"{0}\" is now [{1}], was [{2}]: {3}",
                        policy.name(),
                        String.join(", ", now.configured()),
                        String.join(", ", before.configured()),
                        PolicyText.of(now.policy()));
            }
        });
    }

    private static boolean isReadOnce(String name) {
        Setting<?> ofNoPolicy = Modules.settings().get(name);
        return ofNoPolicy != null && !ofNoPolicy.isReadAgain() || PolicySettingNames.isReadOnce(name);
    }

    private static void logReadOnce(String name) {
        LOG.log(
                System.Logger.Level.WARNING,
                "{0} has changed in the file of limiter.configuration.file; it is in force after the next start",
                name);
    }

    /** Why a policy cannot have a name beside those that are known; empty if it can. */
    private Optional<String> taken(String name) {
        for (String end : BESIDE) {
            boolean isBeside = name.endsWith(end);
            String other = isBeside ? name.substring(0, name.length() - end.length()) : name + end;
            if (declared.containsKey(other)) {
                String of = isBeside ? other : name;
                return Optional.of("\"" + of + end + "\" is reserved for policy \"" + of + "\"; rename one of the two");
            }
        }
        return Optional.empty();
    }

    /**
     * Whether the members as written are a valid policy. Those of configuration are checked by
     * themselves.
     */
    private static boolean isPossible(PolicyDeclaration declaration, DeclarationSite place, List<String> problems) {
        Optional<PolicyDeclaration.Impossible> impossible = declaration.impossible();
        impossible.ifPresent(found -> problems.add(
                found.tier().isEmpty()
                        ? place.address(found.why().member()) + found.why().getMessage()
                        : place.address("tiers") + "tier \"" + found.tier() + "\": "
                                + found.why().getMessage()));
        return impossible.isEmpty();
    }
}
