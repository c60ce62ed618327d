package dev.limiter.local.internal.instances;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.internal.settings.DurationNotation;
import dev.limiter.internal.store.PreparedLimiter;
import dev.limiter.internal.store.Receipt;
import dev.limiter.spi.Ask;
import dev.limiter.spi.GroupDecisions;
import dev.limiter.spi.Layer;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * A limiter in memory that keeps one of several equal parts of each limit, because other
 * processes keep the others and no store is shared.
 *
 * <p>Its results are those of the part: policy, {@code remaining} and {@code used} tell what this
 * process keeps. Its receipts name the whole policy, so that a caller can ask, charge and settle
 * again by them.
 */
final class DividingRateLimiter extends Layer implements PreparedLimiter {
    private static final System.Logger LOG = System.getLogger("dev.limiter.local.LocalRateLimiterProvider");

    /** Contracts and code can make policies without end. */
    private static final int MAX_KEPT = 10_000;

    private static final Receipt NOTHING = new Receipt(List.of(), List.of(), 0);
    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final int processes;
    private final LongSupplier nanos;
    private final ConcurrentHashMap<Policy, InstancePart> parts = new ConcurrentHashMap<>();
    /** The parts that were logged. */
    private final Set<String> told = ConcurrentHashMap.newKeySet();
    /** When each policy was logged, in ns. */
    private final ConcurrentHashMap<String, Long> lastLines = new ConcurrentHashMap<>();

    /**
     * @param memory keeps the parts
     * @param processes into how many parts a limit is divided; at least 1
     * @param nanos a clock that does not step
     */
    DividingRateLimiter(RateLimiter memory, int processes, LongSupplier nanos) {
        super(memory);
        this.processes = processes;
        this.nanos = nanos;
    }

    /** Logs the part of a policy once, and of each of its tiers. */
    @Override
    public void prepare(Policy policy) {
        InstancePart part = part(policy);
        if (!wasTold(part)) {
            tell(part);
        }
    }

    private InstancePart part(Policy policy) {
        InstancePart known = parts.get(policy);
        if (known != null) {
            return known;
        }
        InstancePart made = InstancePart.of(policy, processes);
        if (parts.size() >= MAX_KEPT) {
            parts.clear(); // so those of earlier limits go, and those in use come back
        }
        parts.put(policy, made);
        Long last = lastLines.get(policy.name());
        if (!wasTold(made) && (last == null || nanos.getAsLong() - last >= MINUTE_NANOS)) {
            tell(made); // not each contract with numbers of its own
        }
        return made;
    }

    /** Whether a part needs no line: it is the whole, or its numbers were logged before. */
    private boolean wasTold(InstancePart part) {
        Policy whole = part.whole();
        return part.own() == whole || told.size() >= MAX_KEPT || told.contains(whole.name() + numbers(whole));
    }

    private void tell(InstancePart part) {
        String numbers = numbers(part.whole());
        lastLines.put(part.whole().name(), nanos.getAsLong());
        told.add(part.whole().name() + numbers);
        boolean isMore = part.isMoreThanItsShare();
        LOG.log(
                isMore ? System.Logger.Level.WARNING : System.Logger.Level.INFO,
                isMore
                        ? "\"{0}\", {1}, cannot be divided among {2} instances (limiter.expected-instances): each admits"
                                + " {3}, so together they can admit more. Set limiter.redis.uri, or a larger limit"
                        : "\"{0}\", {1}: this instance of {2} admits {3}",
                part.whole().name(),
                numbers,
                Integer.toString(processes),
                numbers(part.own()));
    }

    private static String numbers(Policy policy) {
        String per = policy.rules().leases()
                ? " in flight"
                : " per " + (policy.period() == null ? DurationNotation.format(policy.window()) : policy.period());
        boolean bursts = policy.algorithm().accepts(Algorithm.Member.BURST);
        return policy.algorithm() + " " + policy.limit() + per + (bursts ? " with burst " + policy.burst() : "");
    }

    @Override
    public <A> A answer(Ask<A> ask) {
        if (ask instanceof Ask.GiveBack back) {
            Receipt own = back.receipt().copy();
            return ask.is(next.answer(new Ask.GiveBack(own == null ? NOTHING : own, part(back.thenPeek()))));
        }
        if (ask instanceof Ask.Acquire acquire) {
            Ask.Acquire ofPart = new Ask.Acquire(acquire.group().mapped(this::part), acquire.budget());
            return ask.is(ofWhole(acquire.group(), next.answer(ofPart)));
        }
        if (ask instanceof Ask.AcquireEach each) {
            return ask.is(decideEach(each.groups()));
        }
        if (ask instanceof Ask.Peek peek) {
            return ask.is(next.peek(peek.group().mapped(this::part)));
        }
        if (ask instanceof Ask.Charge charge) {
            return ask.is(next.answer(new Ask.Charge(part(charge.check()), charge.units())));
        }
        if (ask instanceof Ask.Reset reset) {
            return ask.is(next.answer(new Ask.Reset(part(reset.check()))));
        }
        return next.answer(ask);
    }

    private GroupDecisions decideEach(List<CheckGroup> groups) {
        GroupDecisions parts = next.answer(new Ask.AcquireEach(
                groups.stream().map(group -> group.mapped(this::part)).toList()));
        Iterator<Optional<Decision>> made = parts.made().iterator();
        return GroupDecisions.oneByOne(
                groups, group -> ofWhole(group, made.next().orElseThrow(parts::failure)));
    }

    private Check part(Check check) {
        return check == null ? null : part(check.policy()).own(check);
    }

    /** The decision with a receipt of the whole policies, and of the units that were charged. */
    private static Decision ofWhole(CheckGroup group, Decision decision) {
        if (!(decision instanceof Decision.Admitted admission)) {
            return decision;
        }
        List<Check> charged = group.checks().stream()
                .flatMap(check -> charged(check, admission.receipt()))
                .toList();
        return new Decision.Admitted(
                admission.results(), admission.atMicros(), Receipt.ofFallback(charged, admission.receipt()));
    }

    /** A check as it was charged; empty if it was not. */
    private static Stream<Check> charged(Check check, Receipt receipt) {
        return receipt.checks().stream()
                .filter(own -> own.policy().name().equals(check.policy().name())
                        && own.key().equals(check.key()))
                .map(own -> new Check(check.policy(), check.key(), own.cost(), check.lease(), check.maxWaitMicros()));
    }
}
