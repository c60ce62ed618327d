package dev.limiter.redis.internal.limiter;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Enforcement;
import dev.limiter.Policy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The checks of a group in one slot, with their places in the group. */
final class SlotGroup {
    static final Comparator<SlotGroup> ORDER = Comparator.comparing(SlotGroup::rejects)
            .reversed()
            .thenComparing(part -> part.room)
            .thenComparing(SlotGroup::rate)
            .thenComparing(SlotGroup::name);

    final List<Check> checks = new ArrayList<>();

    private final List<Integer> places = new ArrayList<>();

    /** The least {@link LastRemaining#room} of its checks that can reject. */
    double room;

    /** Adds the check at a place of the group. */
    void add(Check check, int place) {
        checks.add(check);
        places.add(place);
    }

    CheckGroup group() {
        return new CheckGroup(checks);
    }

    void put(List<CheckResult> results, CheckResult[] all) {
        for (int i = 0; i < places.size(); i++) {
            all[places.get(i)] = results.get(i);
        }
    }

    /**
     * Whether a policy of this slot can reject. Policies that cannot are asked after the
     * others have admitted.
     */
    boolean rejects() {
        return checks.stream().anyMatch(check -> check.policy().rejects());
    }

    /** Whether all policies of this slot are shadows, which no request depends on. */
    boolean isShadow() {
        return checks.stream().allMatch(check -> check.policy().enforcement() == Enforcement.SHADOW);
    }

    List<Check> leases() {
        return checks.stream().filter(check -> check.policy().rules().leases()).toList();
    }

    /**
     * Results for a slot that gave no answer within the deadline: admitted, with full quota,
     * marked as fallback.
     */
    List<CheckResult> notChecked() {
        return checks.stream()
                .map(check -> CheckResult.notChecked(check.policy()))
                .toList();
    }

    /** Units per µs of the policy that admits least. */
    double rate() {
        return checks.stream()
                .map(Check::policy)
                .filter(Policy::rejects)
                .mapToDouble(policy -> (double) policy.limit() / policy.windowMicros())
                .min()
                .orElse(0);
    }

    String name() {
        return checks.get(0).policy().name();
    }
}
