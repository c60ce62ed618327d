package dev.limiter.operations.internal;

import jakarta.ws.rs.core.Response.Status;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * All changes of an application, with the version of their text.
 *
 * @param version another one for each text; empty for none
 */
record Changes(String version, List<Change> all) {
    private static final System.Logger LOG = System.getLogger("dev.limiter.operations");

    static final Changes NONE = new Changes("", List.of());

    static final int MOST_BYTES = 256 * 1_024;
    static final int MOST_CALLERS = 1_000;

    static Changes parse(String text) {
        List<String> lines = text.lines().toList();
        return lines.isEmpty()
                ? NONE
                : new Changes(
                        lines.get(0),
                        lines.stream()
                                .skip(1)
                                .map(Changes::readable)
                                .flatMap(Optional::stream)
                                .toList());
    }

    /** A line that was written by hand, or by a later release, does not hide the others. */
    private static Optional<Change> readable(String line) {
        try {
            return Optional.of(Change.parse(line));
        } catch (RuntimeException wrong) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "A change in the store cannot be read, and is not in force: {0}",
                    wrong);
            return Optional.empty();
        }
    }

    String text() {
        return version + '\n' + String.join("\n", all.stream().map(Change::line).toList());
    }

    /** Those that are not over. */
    Changes at(long nowMillis) {
        return all.stream().noneMatch(each -> each.isOver(nowMillis))
                ? this
                : new Changes(version, without(each -> each.isOver(nowMillis)));
    }

    /** When the next one ends, in ms since 1970; {@link Long#MAX_VALUE} if none does. */
    long nextEndMillis() {
        return all.stream()
                .mapToLong(Change::untilMillis)
                .filter(end -> end != 0)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    Stream<Change> of(String kind) {
        return all.stream().filter(each -> each.kind().equals(kind));
    }

    Optional<Change> find(String kind, String policy, String partition) {
        return all.stream().filter(each -> each.isOf(kind, policy, partition)).findFirst();
    }

    /**
     * A new version, in which a change takes the place of the one that changes the same.
     *
     * @throws RefusedException if there are too many changes
     */
    Changes with(Change change) {
        List<Change> next =
                new ArrayList<>(without(each -> each.isOf(change.kind(), change.policy(), change.partition())));
        next.add(change);
        Changes changed = new Changes(UUID.randomUUID().toString(), List.copyOf(next));
        boolean lasts = change.kind().equals(Change.OF_POLICY) || change.kind().equals(Change.OF_CALLER);
        if (lasts && changed.of(Change.OF_CALLER).count() > MOST_CALLERS
                || lasts && changed.text().getBytes(StandardCharsets.UTF_8).length > MOST_BYTES) {
            throw new RefusedException(
                    Status.CONFLICT,
                    "There is room for " + MOST_BYTES / 1_024 + " KiB of changes, of " + MOST_CALLERS
                            + " callers at most; take some back");
        }
        return changed;
    }

    /** A new version without a change; the same if there is none. */
    Changes without(String kind, String policy, String partition) {
        return find(kind, policy, partition).isEmpty()
                ? this
                : new Changes(UUID.randomUUID().toString(), without(each -> each.isOf(kind, policy, partition)));
    }

    private List<Change> without(Predicate<Change> gone) {
        return all.stream().filter(gone.negate()).toList();
    }
}
