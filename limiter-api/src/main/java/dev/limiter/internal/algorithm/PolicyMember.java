package dev.limiter.internal.algorithm;

import dev.limiter.Algorithm;
import dev.limiter.Enforcement;
import dev.limiter.OnStoreFailure;
import dev.limiter.RateLimited;
import dev.limiter.Refill;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.internal.settings.DurationNotation;
import dev.limiter.spi.Setting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A member of a policy: its default, how annotation and configuration write it, and how a text
 * of the policy says it. What copies, compares, reads or prints policies goes through
 * {@link #ALL} and names no member.
 *
 * @param <T> what its value is
 */
public final class PolicyMember<T> {
    private static final List<PolicyMember<?>> ROWS = new ArrayList<>();

    /** All members, in the order in which they are listed. */
    public static final List<PolicyMember<?>> ALL = Collections.unmodifiableList(ROWS);

    /** Identifies the state. */
    public static final PolicyMember<String> NAME = new PolicyMember<>("name", null);

    /** What is promised; a gate is not declared. */
    public static final PolicyMember<Algorithm> ALGORITHM = new PolicyMember<>(
            "algorithm",
            null,
            null,
            RateLimited::algorithm,
            text -> constant(EnumSet.complementOf(EnumSet.of(Algorithm.GATE)), text),
            algorithm -> "");

    /** Units per window. */
    public static final PolicyMember<Long> LIMIT =
            new PolicyMember<>("limit", 0L, null, RateLimited::limit, PolicyMember::number, units -> "");

    /** The span of the limit; null where a period takes its place. */
    public static final PolicyMember<Duration> WINDOW = new PolicyMember<>("window", null);

    /** The period of the calendar that the limit is for; null for a span. */
    public static final PolicyMember<CalendarPeriod> PERIOD = new PolicyMember<>("period", null);

    /** Units that may pass back to back; 0 is read as the limit. */
    public static final PolicyMember<Long> BURST = new PolicyMember<>(
            "burst",
            0L,
            Algorithm.Member.BURST,
            RateLimited::burst,
            PolicyMember::number,
            units -> " with burst " + units);

    /** How tokens come back. */
    public static final PolicyMember<Refill> REFILL = new PolicyMember<>(
            "refill",
            Refill.SMOOTH,
            Algorithm.Member.REFILL,
            RateLimited::refill,
            text -> constant(EnumSet.allOf(Refill.class), text),
            how -> ", refill " + how);

    /** Whether a request passes as soon as one token is there. */
    public static final PolicyMember<Boolean> BORROW = new PolicyMember<>(
            "borrow",
            false,
            Algorithm.Member.BORROW,
            RateLimited::borrow,
            PolicyMember::flag,
            may -> may ? " and borrow" : "");

    /** The longest a request may be held; null where none is, or if it is not written. */
    public static final PolicyMember<Duration> MAX_WAIT = new PolicyMember<>(
            "maxWait",
            null,
            Algorithm.Member.MAX_WAIT,
            limited -> limited.maxWait().isEmpty() ? null : DurationNotation.parse(limited.maxWait()),
            DurationNotation::parse,
            longest -> " with maxWait " + DurationNotation.format(longest));

    /** Whether windows begin at multiples of their length since 1970; not in an annotation. */
    public static final PolicyMember<Boolean> ALIGNED = new PolicyMember<>(
            "aligned", false, Algorithm.Member.ALIGNED, limited -> false, PolicyMember::flag, yes -> "");

    /** How many periods that ended stay readable: 0 or 1; not in an annotation. */
    public static final PolicyMember<Long> KEEP =
            new PolicyMember<>("keep", 0L, Algorithm.Member.PERIOD, limited -> 0L, PolicyMember::number, periods -> "");

    /** How a request is decided when the store fails. */
    public static final PolicyMember<OnStoreFailure> ON_STORE_FAILURE = new PolicyMember<>(
            "onStoreFailure",
            OnStoreFailure.CONFIGURED,
            null,
            RateLimited::onStoreFailure,
            text -> constant(EnumSet.allOf(OnStoreFailure.class), text),
            how -> "");

    /** What becomes of a request that does not fit. */
    public static final PolicyMember<Enforcement> ENFORCEMENT = new PolicyMember<>(
            "enforcement",
            Enforcement.ENFORCED,
            null,
            RateLimited::enforcement,
            text -> constant(EnumSet.allOf(Enforcement.class), text),
            how -> switch (how) {
                case ENFORCED -> "";
                case SOFT -> ", soft";
                case SHADOW -> ", as a shadow";
            });

    /** How long a partition that goes on asking is closed, or null; not in an annotation. */
    public static final PolicyMember<Ban> BAN = new PolicyMember<>(
            "ban", null, Algorithm.Member.COUNT_ON, null, Ban::parse, ban -> ban == null ? "" : ", ban " + ban);

    /** Whether other policies of the name have another limit. */
    public static final PolicyMember<Boolean> LIMIT_VARIES = new PolicyMember<>("limitVaries", false);

    private final int index;
    private final String name;
    private final T otherwise;
    private final Algorithm.Member needed;
    private final Function<RateLimited, T> annotation;
    private final Function<String, T> setting;
    private final Function<T, String> text;

    private PolicyMember(
            String name,
            T otherwise,
            Algorithm.Member needed,
            Function<RateLimited, T> annotation,
            Function<String, T> setting,
            Function<T, String> text) {
        this.index = ROWS.size();
        this.name = name;
        this.otherwise = otherwise;
        this.needed = needed;
        this.annotation = annotation;
        this.setting = setting;
        this.text = text;
        ROWS.add(this);
    }

    /** A member that is neither read nor said by itself. */
    private PolicyMember(String name, T otherwise) {
        this(name, otherwise, null, null, null, value -> "");
    }

    /** Its place in {@link #ALL}. */
    int index() {
        return index;
    }

    /** {@return its name in the annotation and in errors, such as {@code maxWait}} */
    public String name() {
        return name;
    }

    /** {@return its value where it is not written} */
    public T otherwise() {
        return otherwise;
    }

    /** {@return its name in configuration, such as {@code max-wait}} */
    public String setting() {
        return settingOf(name);
    }

    /**
     * {@return the name in configuration of a member that an error names}
     *
     * @param member such as {@code maxWait}
     */
    public static String settingOf(String member) {
        return member.replaceAll("[A-Z]", "-$0").toLowerCase(Locale.ROOT);
    }

    /**
     * {@return whether it has a meaning for an algorithm}
     *
     * @param algorithm of the policy
     */
    public boolean isFor(Algorithm algorithm) {
        return needed == null || algorithm.accepts(needed);
    }

    /** Where it has a meaning. */
    Algorithm.Member needed() {
        return needed;
    }

    /** {@return whether configuration has it as {@link #parse} reads it} */
    public boolean isSetting() {
        return setting != null;
    }

    /**
     * {@return its value in configuration}
     *
     * @param written the text of the setting
     * @throws IllegalArgumentException if it cannot be read, with what would be right
     */
    public T parse(String written) {
        return setting.apply(written);
    }

    /**
     * {@return its value in an annotation; the default if it is not there, or read by another
     * way: name and window}
     *
     * @param limited the annotation
     * @throws IllegalArgumentException if it cannot be read, with what would be right
     */
    public T declared(RateLimited limited) {
        return annotation == null ? otherwise : annotation.apply(limited);
    }

    /**
     * {@return what a text of the policy says of it, such as {@code " with burst 50"}; empty
     * where it has no meaning, or has its default}
     *
     * @param members of a policy
     */
    public String text(PolicyMembers members) {
        return isFor(members.get(ALGORITHM)) ? text.apply(members.get(this)) : "";
    }

    private static long number(String text) {
        try {
            if (text.chars().allMatch(c -> c < 128)) { // a long may have the digits of any script
                return Long.parseLong(text);
            }
        } catch (NumberFormatException unreadable) {
            // told below
        }
        throw new IllegalArgumentException("must be a whole number, was \"" + text + "\"");
    }

    private static boolean flag(String text) {
        return Setting.flag("", false).reader().apply(text);
    }

    /**
     * {@return the constant that a text names}
     *
     * @param known those that may be named
     * @param text in any case, with {@code -} or {@code _}
     * @param <E> its enum
     * @throws IllegalArgumentException if it names none of them, with their names
     */
    public static <E extends Enum<E>> E constant(Set<E> known, String text) {
        String name = text.toUpperCase(Locale.ROOT).replace('-', '_');
        return known.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("\"" + text + "\" is not one of "
                        + known.stream().map(Enum::name).collect(Collectors.joining(", "))));
    }

    @Override
    public String toString() {
        return name;
    }
}
