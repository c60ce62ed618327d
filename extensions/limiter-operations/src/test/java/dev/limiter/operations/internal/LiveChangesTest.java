package dev.limiter.operations.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.StoreUnavailableException;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Lines;
import dev.limiter.testkit.property.Property;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two instances that follow the changes of operators, while their store is away, or forgets. */
@Tag("proof")
class LiveChangesTest {
    private static final Logger LOG = Logger.getLogger("dev.limiter.operations");
    private static final long HOUR_MILLIS = 3_600_000;

    private enum Kind {
        PUT,
        TAKE_BACK,
        REQUEST,
        LATER,
        /** The store is away, or is back. */
        AWAY,
        /** The store has an older text, or none. */
        LOSE,
        /** The clock of the store is ahead by an hour, or is right again. */
        AHEAD
    }

    private record Step(Kind kind, int node, String policy, long millis) {
        static Step drawn(Dice dice) {
            Kind often = dice.oneOf(Kind.PUT, Kind.REQUEST, Kind.LATER);
            return new Step(
                    dice.chance(60) ? often : dice.oneOf(Kind.values()),
                    (int) dice.between(0, 1),
                    dice.oneOf("p", "q", "r"),
                    dice.oneOf(0L, 1L, 499L, 900L, 901L, dice.number(1, 3_000), dice.number(1, HOUR_MILLIS)));
        }
    }

    @Test
    void eachInstanceHasTheChangesOfItsLastReadingUntilTheirEnds() {
        Property.<List<Step>>forAll(dice -> dice.list(1, 60, Step::drawn))
                .tries(10_000)
                .leavingOut(steps -> steps, (all, fewer) -> fewer)
                .check(steps -> {
                    Past past = new Past();
                    LOG.addHandler(past.log);
                    LOG.setUseParentHandlers(false);
                    try {
                        steps.forEach(past::live);
                    } catch (AssertionError wrong) {
                        throw new AssertionError(Lines.numbered("", steps), wrong);
                    } finally {
                        LOG.removeHandler(past.log);
                        LOG.setUseParentHandlers(true);
                    }
                });
    }

    private static final class Past implements SharedText {
        private long millis = 1_000_000;
        private long ahead;
        private boolean away;
        private int calls;
        private final MemoryText text = new MemoryText(() -> Instant.ofEpochMilli(millis + ahead));
        private final List<Node> nodes = List.of(new Node(), new Node());
        private final List<String> warnings = new ArrayList<>();
        private final StreamHandler log = new StreamHandler() {
            @Override
            public void publish(LogRecord line) {
                if (line.getLevel() == Level.WARNING) {
                    warnings.add(line.getMessage().split(" ")[4]);
                }
            }
        };

        /** What has to be true. */
        private Copy stored = new Copy(0, "", Map.of());

        private final List<Copy> earlier = new ArrayList<>(List.of(stored));
        private final List<String> warned = new ArrayList<>();

        private record Copy(long number, String text, Map<String, Change> changes) {}

        private final class Node {
            private final LiveChanges live = new LiveChanges(Past.this, () -> millis * 1_000_000, 0, this::adopted);
            private List<Change> adopted = List.of();
            private Copy copy = new Copy(0, "", Map.of());
            private long readMillis = millis;
            private long clockAhead;
            private long silentUntil = millis;

            /** The text that would be written for a failure is of no interest. */
            private void adopted(Changes before, Changes now) {
                assertThat(before.all()).isEqualTo(adopted).isNotEqualTo(now.all());
                adopted = now.all();
                if (now.all().size() == 2) {
                    throw new IllegalStateException("not in force here");
                }
            }

            private Map<String, Change> present() {
                Map<String, Change> present = new LinkedHashMap<>(copy.changes());
                present.values().removeIf(each -> each.untilMillis() > 0 && each.untilMillis() <= millis + clockAhead);
                return present;
            }

            private void request() {
                int before = calls;
                live.beforeRequest();
                if (millis - readMillis > 900) {
                    assertThat(calls).isGreaterThan(before);
                    readMillis = millis;
                    if (away && millis >= silentUntil) {
                        warned.add("be");
                        silentUntil = millis + 60_000;
                    }
                    take();
                } else {
                    assertThat(calls).isEqualTo(before);
                }
                check();
            }

            private void take() {
                if (away) {
                    return;
                }
                clockAhead = ahead;
                if (stored.number() < copy.number()) {
                    stored = copy;
                    warned.add("were");
                }
                copy = stored;
            }

            private void change(Step step) {
                Change made = new Change(
                        Change.OF_POLICY,
                        step.policy(),
                        "",
                        Map.of("limit", "5"),
                        step.millis() == 0 ? 0 : millis + ahead + step.millis(),
                        millis,
                        "me",
                        "test");
                boolean puts = step.kind() == Kind.PUT;
                if (away) {
                    assertThatExceptionOfType(StoreUnavailableException.class)
                            .isThrownBy(() -> live.change(now -> now.with(made)));
                    return;
                }
                live.change(now -> puts ? now.with(made) : now.without(Change.OF_POLICY, step.policy(), ""));
                take();
                Map<String, Change> next = present();
                if (next.remove(step.policy()) != null || puts) {
                    if (puts) {
                        next.put(step.policy(), made);
                    }
                    stored = new Copy(
                            copy.number() + 1, text.read("none").other().orElseThrow(), next);
                    earlier.add(stored);
                    copy = stored;
                }
                check();
            }

            private void check() {
                assertThat(live.present().all())
                        .isEqualTo(List.copyOf(present().values()))
                        .isEqualTo(adopted);
                for (String policy : List.of("p", "q", "r")) {
                    assertThat(live.knows(Change.OF_POLICY, policy))
                            .isEqualTo(copy.changes().containsKey(policy));
                }
                assertThat(warnings).isEqualTo(warned);
            }
        }

        private void live(Step step) {
            Node at = nodes.get(step.node());
            switch (step.kind()) {
                case PUT, TAKE_BACK -> at.change(step);
                case REQUEST -> at.request();
                case LATER -> millis += step.millis();
                case AWAY -> away = !away;
                case AHEAD -> ahead = HOUR_MILLIS - ahead;
                case LOSE -> {
                    Copy older = earlier.get((int) (step.millis() % earlier.size()));
                    String now = text.read("none").other().orElseThrow();
                    text.write(now.lines().findFirst().orElse(""), older.text());
                    stored = older;
                    away = false;
                    for (int i = 0; i < 4; i++) { // no operator changes anything before all have seen it
                        millis += 1_000;
                        nodes.get(i % 2).request();
                    }
                }
            }
        }

        @Override
        public Found read(String version) {
            calls++;
            if (away) {
                throw new StoreUnavailableException("away", null);
            }
            return text.read(version);
        }

        @Override
        public Found write(String version, String changed) {
            return text.write(version, changed);
        }

        @Override
        public void report(String asked, List<String> parts) {}

        @Override
        public List<String> reports(String asked) {
            return List.of();
        }
    }
}
