package dev.limiter.local.internal.memory;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.Policy;
import dev.limiter.Refill;
import dev.limiter.internal.algorithm.Concurrency;
import dev.limiter.internal.algorithm.FixedWindow;
import dev.limiter.internal.algorithm.Gcra;
import dev.limiter.internal.algorithm.IntervalBucket;
import dev.limiter.internal.algorithm.Rate.Span;
import dev.limiter.internal.algorithm.SlidingLog;
import dev.limiter.internal.algorithm.SlidingWindow;
import dev.limiter.internal.algorithm.StateSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The definition of each state, in plain arithmetic on small numbers. */
abstract class StateModel {

    static StateModel of(Policy policy) {
        return switch (policy.algorithm()) {
            case FIXED_WINDOW -> new Window();
            case SLIDING_WINDOW -> new TwoWindows();
            case SLIDING_LOG -> new Log();
            case GCRA, UNIFORM, LEAKY_BUCKET -> new Bucket();
            case TOKEN_BUCKET -> policy.refill() == Refill.INTERVAL ? new Interval() : new Bucket();
            case CONCURRENCY -> new Leases();
            case GATE -> new Gate();
        };
    }

    abstract StateSnapshot read(Check check, long now, boolean peek);

    /** After a {@link #read} that fits. */
    abstract void charge(Check check, long now);

    /** After a {@link #read}. */
    abstract void debt(Policy policy, long units, long now);

    abstract StateSnapshot admit(Check check, long slotMicros, long now);

    abstract boolean refund(Check check, StateSnapshot then, long thenMicros, long now);

    /** How many entries are kept; negative where it is not known. */
    int units() {
        return -1;
    }

    private static long windowEnd(Check check, long now) {
        long window = check.policy().windowMicros();
        return now + window - Math.floorMod(now - check.phaseMicros(), window);
    }

    /** Counts whole units. */
    private abstract static class Counting extends StateModel {
        abstract void add(Policy policy, long units, long now);

        abstract long counted();

        @Override
        void charge(Check check, long now) {
            add(check.policy(), check.cost(), now);
        }

        @Override
        void debt(Policy policy, long units, long now) {
            long room = Math.max(0, 2 * policy.capacity() - counted());
            long charged = Math.min(units, room);
            if (charged > 0) {
                add(policy, charged, now);
            }
        }

        @Override
        StateSnapshot admit(Check check, long slotMicros, long now) {
            StateSnapshot found = read(check, now, false);
            boolean whole = counted() + check.cost() <= 2 * check.policy().capacity();
            debt(check.policy(), check.cost(), now);
            return whole ? found : null;
        }
    }

    private static final class Window extends Counting {
        private long end = Long.MIN_VALUE;
        private long used;
        private long foundEnd;
        private long found;

        @Override
        StateSnapshot read(Check check, long now, boolean peek) {
            boolean over = end <= now;
            boolean ahead = !over && end - now > 2 * check.policy().windowMicros();
            foundEnd = over || ahead ? windowEnd(check, now) : end;
            found = over ? 0 : used;
            if (ahead && !peek) {
                end = foundEnd;
            }
            return new FixedWindow.Snapshot(
                    found + check.cost() <= check.policy().limit(), found, foundEnd - now);
        }

        @Override
        long counted() {
            return found;
        }

        @Override
        void add(Policy policy, long units, long now) {
            end = foundEnd;
            used = found + units;
        }

        @Override
        boolean refund(Check check, StateSnapshot then, long thenMicros, long now) {
            boolean same = thenMicros + ((FixedWindow.Snapshot) then).leftMicros() == end && end > now && used > 0;
            used = same ? Math.max(0, used - check.cost()) : used;
            return same;
        }
    }

    private static final class TwoWindows extends Counting {
        /** By the end of the window; empty if untouched. */
        private final TreeMap<Long, Long> windows = new TreeMap<>();

        private long length;
        private long foundEnd;
        private long before;
        private long present;

        @Override
        StateSnapshot read(Check check, long now, boolean peek) {
            Policy policy = check.policy();
            length = policy.windowMicros();
            foundEnd = windowEnd(check, now);
            before = 0;
            present = 0;
            long last = windows.isEmpty() ? Long.MIN_VALUE : windows.lastKey();
            if (!windows.isEmpty() && last > now) {
                present = windows.get(last);
                before = windows.getOrDefault(last - length, 0L);
                if (last - now <= 2 * length) {
                    foundEnd = last;
                } else if (!peek) {
                    keep();
                }
            } else if (!windows.isEmpty() && last + length > now) {
                before = windows.get(last);
                foundEnd = last + length;
            }
            long left = foundEnd - now;
            boolean fits =
                    before * Math.min(left, length) + (present + check.cost()) * length <= policy.limit() * length;
            return new SlidingWindow.Snapshot(fits, before, present, left);
        }

        private void keep() {
            windows.clear();
            windows.put(foundEnd - length, before);
            windows.put(foundEnd, present);
        }

        @Override
        long counted() {
            return present;
        }

        @Override
        void add(Policy policy, long units, long now) {
            present += units;
            keep();
        }

        @Override
        boolean refund(Check check, StateSnapshot then, long thenMicros, long now) {
            long end = thenMicros + ((SlidingWindow.Snapshot) then).leftMicros();
            boolean same = !windows.isEmpty() && windows.lastKey() == end && end > now && windows.get(end) > 0;
            if (same) {
                windows.merge(end, -check.cost(), (one, other) -> Math.max(0, one + other));
            }
            return same;
        }
    }

    private static final class Log extends Counting {
        private List<Long> units = new ArrayList<>();
        private long window;
        private long used;

        @Override
        StateSnapshot read(Check check, long now, boolean peek) {
            Policy policy = check.policy();
            window = policy.windowMicros();
            List<Long> seen = units;
            if (!units.isEmpty() && youngest() > now + window) {
                long inside =
                        units.stream().filter(at -> at > youngest() - window).count();
                seen = new ArrayList<>();
                for (long i = Math.min(inside, policy.limit()); i > 0; i--) {
                    seen.add(now);
                }
                units = peek ? units : seen;
            }
            List<Long> live = live(seen, now);
            used = live.size();
            boolean fits = used + check.cost() <= policy.limit();
            long wait = fits ? 0 : live.get((int) (used + check.cost() - policy.limit()) - 1) + window - now;
            if (used == 0) {
                return new SlidingLog.Snapshot(fits, 0, 0, 0, 0);
            }
            long next = live.get((int) Math.max(0, used - policy.limit())) + window - now;
            return new SlidingLog.Snapshot(fits, used, wait, next, live.get(live.size() - 1) + window - now);
        }

        private long youngest() {
            return units.get(units.size() - 1);
        }

        /** The units that have left neither the window nor that of the youngest unit. */
        private List<Long> live(List<Long> seen, long now) {
            if (seen.isEmpty()) {
                return seen;
            }
            long edge = Math.max(now, seen.get(seen.size() - 1)) - window;
            return new ArrayList<>(seen.stream().filter(at -> at > edge).toList());
        }

        @Override
        long counted() {
            return used;
        }

        @Override
        void add(Policy policy, long count, long now) {
            long at = units.isEmpty() ? now : Math.max(now, youngest());
            units = live(units, now);
            for (long i = 0; i < count; i++) {
                units.add(at);
            }
        }

        @Override
        boolean refund(Check check, StateSnapshot then, long thenMicros, long now) {
            long at = thenMicros + Math.max(window, ((SlidingLog.Snapshot) then).resetMicros()) - window;
            if (at + window <= now || units.isEmpty() || youngest() < at) {
                return false;
            }
            units = live(units, now);
            boolean given = false;
            for (long i = 0; i < check.cost(); i++) {
                given |= units.remove((Long) at);
            }
            return given;
        }
    }

    /**
     * Times are counted in parts of a µs, of which each has as many as the limit: a unit takes a
     * window of them.
     */
    private static final class Bucket extends StateModel {
        private long tat = Long.MIN_VALUE;
        private long partsPerMicro = 1;
        private double reachMicros;
        private long backlog;

        @Override
        StateSnapshot read(Check check, long now, boolean peek) {
            Policy policy = check.policy();
            long left = left(policy, now);
            backlog = cut(left, policy);
            boolean varied = isVaried(policy) && backlog > 0;
            if ((backlog != left || varied) && !peek) {
                write(policy, backlog, now);
            }
            return snapshot(backlog <= slack(check), backlog, policy);
        }

        private static StateSnapshot snapshot(boolean fits, long backlog, Policy policy) {
            return new Gcra.Snapshot(fits, new Span(backlog / policy.limit(), backlog % policy.limit()));
        }

        private static long slack(Check check) {
            Policy policy = check.policy();
            return isQueue(policy)
                    ? check.maxWaitMicros() * policy.limit()
                    : (policy.capacity() - (policy.borrow() ? 1 : check.cost())) * policy.windowMicros();
        }

        private static boolean isQueue(Policy policy) {
            return policy.algorithm() == Algorithm.LEAKY_BUCKET;
        }

        /** Under another limit the instant is rounded up to a µs. */
        private long left(Policy policy, long now) {
            if (tat == Long.MIN_VALUE) {
                return 0;
            }
            if (isVaried(policy)) {
                return Math.max(0, tat - now * partsPerMicro);
            }
            long at = partsPerMicro == policy.limit() ? tat : -Math.floorDiv(-tat, partsPerMicro) * policy.limit();
            return Math.max(0, at - now * policy.limit());
        }

        /** Whether the units of another limit count: each takes a window of parts under both. */
        private boolean isVaried(Policy policy) {
            return policy.rules().keepsUnits() && partsPerMicro != policy.limit();
        }

        private long cut(long left, Policy policy) {
            long parts = isVaried(policy) ? partsPerMicro : policy.limit();
            return left / parts > reachMicros ? (long) reachMicros * parts : left;
        }

        private void write(Policy policy, long after, long now) {
            tat = now * policy.limit() + after;
            partsPerMicro = policy.limit();
            reachMicros = (float) (after / policy.limit() * (1 + 0x1p-22) + 1);
        }

        private static long owed(Policy policy) {
            long content = isQueue(policy)
                    ? policy.maxWaitMicros() * policy.limit() + policy.windowMicros()
                    : policy.capacity() * policy.windowMicros();
            return 2 * content;
        }

        @Override
        void charge(Check check, long now) {
            write(check.policy(), backlog + check.cost() * check.policy().windowMicros(), now);
        }

        @Override
        void debt(Policy policy, long units, long now) {
            long after = Math.min(backlog + units * policy.windowMicros(), owed(policy));
            if (after > backlog) {
                write(policy, after, now);
            }
        }

        @Override
        StateSnapshot admit(Check check, long slotMicros, long now) {
            Policy policy = check.policy();
            boolean later = isQueue(policy) && slotMicros > backlog / policy.limit();
            long before = later ? slotMicros * policy.limit() : backlog;
            long after = before + check.cost() * policy.windowMicros();
            long most = owed(policy) + (policy.borrow() ? 2 * policy.maxCost() * policy.windowMicros() : 0);
            if (Math.min(after, most) > backlog) {
                write(policy, Math.min(after, most), now);
            }
            return after <= most ? snapshot(true, before, policy) : null;
        }

        @Override
        boolean refund(Check check, StateSnapshot then, long thenMicros, long now) {
            Policy policy = check.policy();
            Span span = ((Gcra.Snapshot) then).backlog();
            long price = check.cost() * policy.windowMicros();
            long reached = (thenMicros + span.micros()) * policy.limit() + span.part() + price;
            if (isQueue(policy) && (partsPerMicro != policy.limit() || tat != reached)) {
                return false;
            }
            long times = isVaried(policy) ? -Math.floorDiv(-partsPerMicro, policy.limit()) : 1;
            long faster = (times - 1) * Math.max(0, now - thenMicros) * policy.limit();
            long given = Math.min(price, reached - now * policy.limit() - faster);
            long left = cut(left(policy, now), policy);
            if (given <= 0 || left <= 0) {
                return false;
            }
            if (left <= given) {
                tat = Long.MIN_VALUE;
            } else {
                write(policy, left - given, now);
            }
            return true;
        }
    }

    private static final class Interval extends Counting {
        private long last;
        private long full;
        private long missing;
        private long foundLast;
        private long found;

        @Override
        StateSnapshot read(Check check, long now, boolean peek) {
            Policy policy = check.policy();
            long window = policy.windowMicros();
            long back = missing > 0 ? Math.max(0, last - now) : 0;
            long until = full - back;
            foundLast = last - back;
            if (!peek) {
                last = foundLast;
                full = until;
            }
            long refills = Math.floorDiv(now - foundLast, window);
            found = missing > 0 && until > now ? Math.max(0, missing - refills * policy.limit()) : 0;
            boolean fits = found + (policy.borrow() ? 1 : check.cost()) <= policy.burst();
            if (found == 0) {
                foundLast = now;
                return new IntervalBucket.Snapshot(fits, 0, 0, 0);
            }
            foundLast += refills * window;
            return new IntervalBucket.Snapshot(fits, found, foundLast + window - now, until - now);
        }

        @Override
        long counted() {
            return found;
        }

        @Override
        void add(Policy policy, long units, long now) {
            last = foundLast;
            missing = found + units;
            full = last - Math.floorDiv(-missing, policy.limit()) * policy.windowMicros();
        }

        @Override
        StateSnapshot admit(Check check, long slotMicros, long now) {
            Policy policy = check.policy();
            if (!policy.borrow()) {
                return super.admit(check, slotMicros, now);
            }
            StateSnapshot snapshot = read(check, now, false);
            long room = Math.max(0, 2 * (policy.burst() + policy.maxCost()) - found);
            if (room > 0) {
                add(policy, Math.min(room, check.cost()), now);
            }
            return room >= check.cost() ? snapshot : null;
        }

        @Override
        boolean refund(Check check, StateSnapshot then, long thenMicros, long now) {
            Policy policy = check.policy();
            long window = policy.windowMicros();
            IntervalBucket.Snapshot was = (IntervalBucket.Snapshot) then;
            long phase = was.used() == 0 ? thenMicros : thenMicros + was.leftMicros() - window;
            if (missing == 0 || last != phase || phase > now || phase + window <= now) {
                return false;
            }
            missing = Math.max(0, missing - check.cost());
            full = Math.min(full, phase - Math.floorDiv(-missing, policy.limit()) * window);
            return true;
        }
    }

    private static final class Leases extends StateModel {
        private final Map<String, Long> ends = new TreeMap<>();

        @Override
        StateSnapshot read(Check check, long now, boolean peek) {
            long furthest = now + check.policy().windowMicros();
            if (!peek) {
                ends.replaceAll((name, end) -> Math.min(end, furthest));
            }
            long live = ends.values().stream().filter(end -> end > now).count();
            boolean held = ends.getOrDefault(check.lease(), now) > now;
            return new Concurrency.Snapshot(held || live < check.policy().limit(), live, held);
        }

        @Override
        void charge(Check check, long now) {
            ends.put(check.lease(), now + check.policy().windowMicros());
            ends.entrySet().stream()
                    .filter(lease -> lease.getValue() <= now)
                    .sorted(Comparator.comparing(Map.Entry<String, Long>::getValue)
                            .thenComparing(Map.Entry::getKey))
                    .limit(16)
                    .map(Map.Entry::getKey)
                    .toList()
                    .forEach(ends::remove);
        }

        @Override
        void debt(Policy policy, long units, long now) {
            throw new IllegalStateException("leases have no debts");
        }

        @Override
        StateSnapshot admit(Check check, long slotMicros, long now) {
            StateSnapshot found = read(check, now, false);
            charge(check, now);
            return found;
        }

        @Override
        boolean refund(Check check, StateSnapshot then, long thenMicros, long now) {
            Long end = ends.remove(check.lease());
            return end != null && end > now;
        }

        @Override
        int units() {
            return ends.size();
        }
    }

    private static final class Gate extends StateModel {
        private long opens = Long.MIN_VALUE;

        @Override
        StateSnapshot read(Check check, long now, boolean peek) {
            long seen = Math.min(opens, now + check.policy().windowMicros());
            opens = peek ? opens : seen;
            return new dev.limiter.internal.algorithm.Gate.Snapshot(
                    seen <= now, Math.max(0, seen <= now ? 0 : seen - now));
        }

        @Override
        void charge(Check check, long now) {
            // an open gate takes nothing
        }

        @Override
        void debt(Policy policy, long units, long now) {
            opens = Math.max(opens, now + Math.min(units * 1_000, policy.windowMicros()));
        }

        @Override
        StateSnapshot admit(Check check, long slotMicros, long now) {
            return read(check, now, false);
        }

        @Override
        boolean refund(Check check, StateSnapshot then, long thenMicros, long now) {
            return false;
        }
    }
}
