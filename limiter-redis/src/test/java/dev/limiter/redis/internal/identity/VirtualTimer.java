package dev.limiter.redis.internal.identity;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Runs what is due when a test lets the time pass. */
final class VirtualTimer extends ScheduledThreadPoolExecutor {
    private final List<Planned> later = new ArrayList<>();
    private long millis;
    private int planned;
    private boolean atOnce;

    VirtualTimer() {
        super(1);
    }

    private static final class Planned extends FutureTask<Void> implements ScheduledFuture<Void> {
        private final long due;

        Planned(Runnable work, long due) {
            super(work, null);
            this.due = due;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(due, TimeUnit.MILLISECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(due, ((Planned) other).due);
        }
    }

    synchronized long millis() {
        return millis;
    }

    /** How often anything was planned. */
    synchronized int planned() {
        return planned;
    }

    /** Runs the next work that is due now where it is planned. */
    synchronized void atOnce() {
        atOnce = true;
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable work, long pause, TimeUnit unit) {
        Planned one;
        boolean now;
        synchronized (this) {
            one = new Planned(work, millis + unit.toMillis(pause));
            now = atOnce && pause == 0;
            atOnce &= !now;
            planned++;
            later.add(one);
        }
        if (now) {
            one.run();
        }
        return one;
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> work, long pause, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    /** Runs what is due until then, each at its time. */
    void passUntil(long end) {
        for (Optional<Planned> next = next(end); next.isPresent(); next = next(end)) {
            next.get().run();
        }
        synchronized (this) {
            millis = end;
        }
    }

    private synchronized Optional<Planned> next(long end) {
        later.removeIf(FutureTask::isDone);
        Optional<Planned> next = later.stream().filter(each -> each.due <= end).min(Comparator.naturalOrder());
        next.ifPresent(each -> millis = each.due);
        return next;
    }
}
