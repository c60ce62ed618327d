package dev.limiter.internal.algorithm;

import dev.limiter.Algorithm;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The members of one policy: as written, until {@link dev.limiter.Policy#Policy(PolicyMembers)} has
 * checked them. It does not change; each change is a copy.
 */
public final class PolicyMembers {
    private final Object[] values;

    private PolicyMembers(Object[] values) {
        this.values = values;
    }

    /**
     * {@return members of which all others have their defaults}
     *
     * @param name identifies the state
     * @param algorithm what is promised; null if it is not written
     * @param limit units per window; 0 if it is not written
     */
    public static PolicyMembers of(String name, Algorithm algorithm, long limit) {
        return new PolicyMembers(
                        PolicyMember.ALL.stream().map(PolicyMember::otherwise).toArray())
                .with(PolicyMember.NAME, name)
                .with(PolicyMember.ALGORITHM, algorithm)
                .with(PolicyMember.LIMIT, limit);
    }

    /**
     * {@return these members with another value of one}
     *
     * @param member which one
     * @param value its value; null for its default
     * @param <T> what its value is
     */
    public <T> PolicyMembers with(PolicyMember<T> member, T value) {
        Object[] changed = values.clone();
        changed[member.index()] = value == null ? member.otherwise() : value;
        return new PolicyMembers(changed);
    }

    /**
     * {@return the value of a member}
     *
     * @param member which one
     * @param <T> what its value is
     */
    @SuppressWarnings("unchecked")
    public <T> T get(PolicyMember<T> member) {
        return (T) values[member.index()];
    }

    /**
     * {@return a span in µs; 0 for none}
     *
     * @param member which one
     */
    public long micros(PolicyMember<Duration> member) {
        Duration span = get(member);
        return span == null ? 0 : PolicyValidation.micros(span);
    }

    /** Whether a member has not its default. */
    boolean differs(PolicyMember<?> member) {
        return !Objects.equals(get(member), member.otherwise());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PolicyMembers that && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    /** {@return the members that have not their defaults: {@code [name=buyer, limit=5]}} */
    @Override
    public String toString() {
        return PolicyMember.ALL.stream()
                .filter(this::differs)
                .map(member -> member + "=" + get(member))
                .collect(Collectors.joining(", ", "[", "]"));
    }
}
