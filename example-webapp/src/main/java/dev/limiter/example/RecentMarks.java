package dev.limiter.example;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** The latest marks of this instance, in its memory, at most {@value #MOST}. */
final class RecentMarks {
    static final int MOST = 2_000;

    private final Deque<Entry> entries = new ArrayDeque<>();
    private MarkId last = new MarkId(0, 0);

    private record Entry(MarkId id, Mark mark) {}

    synchronized void add(Mark mark) {
        last = last.next(System.currentTimeMillis());
        if (entries.size() == MOST) {
            entries.removeFirst();
        }
        entries.addLast(new Entry(last, mark));
    }

    /**
     * The oldest of those that were recorded after {@code since}, at most a page.
     *
     * @param since empty for those of the latest {@code span}
     */
    synchronized MarkPage after(Optional<MarkId> since, Duration span, MarkPage.Source source, long lost) {
        long nowMicros = System.currentTimeMillis() * 1_000;
        MarkId from = since.orElseGet(() -> MarkId.before(nowMicros, span));
        List<Entry> page = entries.stream()
                .filter(entry -> entry.id().compareTo(from) > 0)
                .limit(MarkPage.MOST)
                .toList();
        MarkId reached = page.isEmpty() ? from : page.get(page.size() - 1).id();
        boolean more = page.size() == MarkPage.MOST;
        List<Mark> marks = page.stream().map(Entry::mark).toList();
        return new MarkPage(source, nowMicros, reached.toString(), more, lost, marks);
    }
}
