package dev.limiter.operations.internal;

import dev.limiter.jaxrs.internal.platform.LogText;
import jakarta.ws.rs.core.Response.Status;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * All changes of an application, with the version of their text.
 *
 * @param version a number that grows from text to text, and what no other text has; empty for none
 */
record Changes(String version, List<Change> all) {
    private static final System.Logger LOG = System.getLogger("dev.limiter.operations");

    static final Changes NONE = new Changes("", List.of());

    private static final Pattern VERSION = Pattern.compile("(\\d+)-.*");

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
                    LogText.of(wrong.toString()));
            return Optional.empty();
        }
    }

    /** As a text of an older copy of the store, or none. */
    boolean isOlderThan(Changes other) {
        return number().compareTo(other.number()) < 0;
    }

    /** However large it is: the next version must not be older. */
    private BigInteger number() {
        Matcher known = VERSION.matcher(version);
        return known.matches() ? new BigInteger(known.group(1)) : BigInteger.ZERO;
    }

    private Changes next(List<Change> changed) {
        BigInteger number = BigInteger.valueOf(System.currentTimeMillis()).max(number().add(BigInteger.ONE));
        return new Changes(number + "-" + UUID.randomUUID(), List.copyOf(changed));
    }

    String text() {
        return version + '\n' + String.join("\n", all.stream().map(Change::line).toList());
    }

    /** Those that are not over. */
    Changes at(long nowMillis) {
        return new Changes(version, without(each -> each.isOver(nowMillis)));
    }

    /** When the next one ends, in ms since 1970; {@link Long#MAX_VALUE} if none does. */
    long nextEndMillis() {
        return all.stream()
                .mapToLong(Change::untilMillis)
                .filter(end -> end != 0)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Those that are in force until their end. */
    List<Change> lasting() {
        return all.stream().filter(Change::lasts).toList();
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
        Changes changed = next(next);
        int room = change.lasts() ? MOST_BYTES : MOST_BYTES + MOST_BYTES / 2;
        while (changed.text().length() > room && removeOldestTold(next)) { // all is ASCII
            changed = next(next);
        }
        if (changed.of(Change.OF_CALLER).count() > MOST_CALLERS
                || changed.text().length() > room) {
            throw new RefusedException(
                    Status.CONFLICT,
                    "Changes may take " + MOST_BYTES / 1_024 + " KiB, for " + MOST_CALLERS
                            + " callers at most; take some back");
        }
        return changed;
    }

    /** What only tells of the past makes room. */
    private static boolean removeOldestTold(List<Change> all) {
        return all.stream()
                .filter(each -> !each.lasts())
                .findFirst()
                .map(all::remove)
                .orElse(false);
    }

    /** A new version without a change; the same if there is none. */
    Changes without(String kind, String policy, String partition) {
        return find(kind, policy, partition).isEmpty()
                ? this
                : next(without(each -> each.isOf(kind, policy, partition)));
    }

    private List<Change> without(Predicate<Change> gone) {
        return all.stream().filter(gone.negate()).toList();
    }
}
