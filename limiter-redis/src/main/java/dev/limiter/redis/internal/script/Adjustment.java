package dev.limiter.redis.internal.script;

import dev.limiter.Check;
import dev.limiter.internal.algorithm.AlgorithmRules;
import dev.limiter.internal.algorithm.Packed;
import dev.limiter.internal.store.Receipt;
import java.util.ArrayList;
import java.util.List;

/** Changes after decisions, item by item: keys and arguments of {@code lua/adjust.lua}. */
public final class Adjustment {
    public static final Program PROGRAM = Program.adjustments();

    private static final byte[] CHARGE = Packed.of("charge");
    private static final byte[] REFUND = Packed.of("refund");
    private static final byte[] PEEK = Packed.of("peek");

    private final PreparedPolicies policies;
    private final List<byte[]> keys = new ArrayList<>();
    private final List<byte[]> arguments = new ArrayList<>();

    public Adjustment(PreparedPolicies policies) {
        this.policies = policies;
    }

    /** Charges units without asking. */
    public Adjustment charge(Check check, long units) {
        read(CHARGE, check);
        arguments.add(check.policy().rules().debtArguments(units));
        return this;
    }

    /** Gives back. */
    public Adjustment refund(List<Receipt.Item> items) {
        for (Receipt.Item item : items) {
            Check check = item.check();
            AlgorithmRules rules = check.policy().rules();
            add(REFUND, check, rules.refundArguments(check, item.snapshot(), item.atMicros()));
        }
        return this;
    }

    /** Reads the state that the items before have left. */
    public Adjustment peek(Check check) {
        read(PEEK, check);
        return this;
    }

    private void read(byte[] item, Check check) {
        byte[] read = check.policy().rules().adjusting().arguments(check);
        add(item, check, policies.of(check.policy()).withPeriods(read));
    }

    private void add(byte[] item, Check check, byte[] packed) {
        keys.add(policies.of(check.policy()).key(check.key()));
        arguments.add(item);
        arguments.add(check.policy().rules().adjusting().scriptName());
        arguments.add(packed);
    }

    public List<byte[]> keys() {
        return keys;
    }

    public List<byte[]> arguments() {
        return arguments;
    }
}
