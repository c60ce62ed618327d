package dev.limiter.redis.recorded;

import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.calendar.Usage;
import dev.limiter.internal.settings.DurationNotation;
import java.util.Set;
import java.util.stream.Collectors;

/** Asks a limiter: one partition of one policy, whose members may change. */
final class LimiterPlayer implements Player {
    private final RateLimiter limiter;
    private final String name;
    private final PartitionKey key;
    private Policy policy;
    private Decision last;

    /** @param parts of the partition: {@code user=ada, path:show=lions} */
    LimiterPlayer(RateLimiter limiter, String name, String parts) {
        this.limiter = limiter;
        this.name = name;
        PartitionKey.Builder builder = PartitionKey.builder();
        for (String part : parts.split(", ")) {
            int equals = part.indexOf('=');
            builder.add(part.substring(0, equals), part.substring(equals + 1));
        }
        this.key = builder.build();
    }

    @Override
    public boolean names(String key) {
        return Set.of(limiter.storeKey(policy, this.key), limiter.storeKey(policy.gate(), this.key))
                .contains(key);
    }

    @Override
    public String call(String call) {
        int blank = call.indexOf(' ');
        String word = blank < 0 ? call : call.substring(0, blank);
        String rest = call.substring(blank + 1);
        switch (word) {
            case "under":
                policy = PolicyNotation.read(name, rest);
                return "";
            case "acquire":
                return decided(CheckGroup.of(new Check(policy, key, Long.parseLong(rest))));
            case "lease":
                return decided(CheckGroup.of(Check.ofLease(policy, key, rest)));
            case "gated":
                return decided(CheckGroup.of(Check.of(policy, key)).withGates());
            case "peek":
                return told(limiter.peek(policy, key));
            case "usage":
                Usage.Period period = Usage.Period.valueOf(rest);
                Usage usage = limiter.usage(policy, key, period);
                return "used=" + usage.used() + " ends=" + usage.ends();
            case "charge":
                return told(limiter.charge(policy, key, Long.parseLong(rest)));
            case "refund":
                return limiter.refund((Decision.Admitted) last) ? "given back" : "nothing to give back";
            case "close":
                limiter.closeGate(policy, key, DurationNotation.parse(rest));
                return "";
            case "reset":
                limiter.reset(policy, key);
                return "";
            default:
                throw new IllegalArgumentException("no call: " + call);
        }
    }

    private String decided(CheckGroup group) {
        last = limiter.acquire(group);
        return last.results().stream().map(LimiterPlayer::told).collect(Collectors.joining(" | "));
    }

    private static String told(CheckResult result) {
        return (result.admitted() ? "admitted" : "rejected") + " remaining=" + result.remaining() + " used="
                + result.used() + (result.runAfterMicros() > 0 ? " run=" + result.runAfterMicros() : "") + " retry="
                + result.retryAfterMicros() + " next=" + result.nextAfterMicros() + " reset="
                + result.resetAfterMicros();
    }

    private static String told(ChargeResult result) {
        return "charged=" + result.charged() + " dropped=" + result.dropped() + " remaining=" + result.remaining()
                + " used=" + result.used() + " next=" + result.nextAfterMicros() + " reset="
                + result.resetAfterMicros();
    }
}
