package dev.limiter.local;

import dev.limiter.Demand;
import dev.limiter.Policy;
import dev.limiter.spi.LeaseReading;
import dev.limiter.spi.Reading;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Leases by name, and by expiry: {@code lua/algorithm/concurrency.lua}. */
final class LeaseCell implements Cell {
    private static final long BYTES_PER_LEASE = 300;

    /** The most leases that one call cuts or prunes. */
    private static final int AT_ONCE = 16;

    private final Map<Member, Lease> byMember = new HashMap<>();
    private final TreeSet<Lease> byExpiry = new TreeSet<>(Comparator.comparingLong(Lease::expiryMicros)
            .thenComparing(lease -> lease.member().name())
            .thenComparing(lease -> lease.member().lengthMicros()));

    /** A lease of another length is another lease. */
    private record Member(String name, long lengthMicros) {
        static Member of(Demand demand) {
            return new Member(demand.lease(), demand.policy().windowMicros());
        }
    }

    private record Lease(Member member, long expiryMicros) {
        boolean isAhead(long nowMicros) {
            return expiryMicros > nowMicros + member.lengthMicros();
        }
    }

    @Override
    public Reading read(Demand demand, long nowMicros, long phaseMicros, boolean peek) {
        if (!peek && !byExpiry.isEmpty() && byExpiry.last().isAhead(nowMicros)) {
            cut(nowMicros);
        }
        long live = byMember.size() - expired(nowMicros, byMember.size()).size();
        Lease own = byMember.get(Member.of(demand));
        boolean held = own != null && own.expiryMicros() > nowMicros;
        return new LeaseReading(held || live < demand.policy().limit(), live, held);
    }

    @Override
    public void charge(Demand demand, long nowMicros) {
        put(new Lease(Member.of(demand), nowMicros + demand.policy().windowMicros()));
        expired(nowMicros, AT_ONCE).forEach(lease -> remove(lease.member()));
    }

    @Override
    public void debt(Policy policy, long units, long nowMicros) {
        throw new IllegalStateException("nothing can be charged to leases");
    }

    @Override
    public boolean refund(Demand demand, Reading then, long thenMicros, long nowMicros) {
        Lease removed = remove(Member.of(demand));
        return removed != null && removed.expiryMicros() > nowMicros;
    }

    @Override
    public long idleAtMicros() {
        return byExpiry.isEmpty() ? Long.MIN_VALUE : byExpiry.last().expiryMicros();
    }

    @Override
    public long bytes() {
        return BYTES_PER_LEASE * byMember.size();
    }

    /** The first that have expired. */
    private List<Lease> expired(long nowMicros, int atMost) {
        List<Lease> expired = new ArrayList<>();
        for (Lease lease : byExpiry) {
            if (lease.expiryMicros() > nowMicros || expired.size() == atMost) {
                break;
            }
            expired.add(lease);
        }
        return expired;
    }

    /** What lasts longer than its own length was left by a clock that has stepped back. */
    private void cut(long nowMicros) {
        List<Lease> longest = new ArrayList<>();
        Iterator<Lease> fromLast = byExpiry.descendingIterator();
        while (fromLast.hasNext() && longest.size() < AT_ONCE) {
            longest.add(fromLast.next());
        }
        for (Lease lease : longest) {
            if (lease.isAhead(nowMicros)) {
                put(new Lease(lease.member(), nowMicros + lease.member().lengthMicros()));
            }
        }
    }

    private void put(Lease lease) {
        remove(lease.member());
        byMember.put(lease.member(), lease);
        byExpiry.add(lease);
    }

    private Lease remove(Member member) {
        Lease removed = byMember.remove(member);
        if (removed != null) {
            byExpiry.remove(removed);
        }
        return removed;
    }
}
