package dev.limiter.redis.internal.combine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.internal.algorithm.Packed;
import dev.limiter.redis.internal.script.DecisionCall;
import dev.limiter.redis.internal.script.PreparedPolicies;
import dev.limiter.redis.internal.script.RedisKeys;
import dev.limiter.redis.internal.script.Reply;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Property;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Any number of callers in one call. Each gets its own reply, and equal decisions share one, up
 * to their bound.
 */
@Tag("proof")
class MergedDecisionsLawsTest {
    private static final PreparedPolicies POLICIES = new PreparedPolicies(new RedisKeys("joint", ""));
    private static final Policy GCRA = Policy.of("gcra", Algorithm.GCRA, 1_000, Duration.ofSeconds(10));
    private static final Policy LOG = Policy.of("log", Algorithm.SLIDING_LOG, 1_000, Duration.ofSeconds(10));
    private static final Policy FLIGHT = Policy.concurrency("flight", 10);

    /** Groups of one caller: those of one group and one check may be settled together. */
    private record Asked(List<CheckGroup> groups) {
        static Asked draw(Dice dice) {
            return new Asked(dice.chance(75) ? List.of(single(dice)) : dice.list(1, 3, MergedDecisionsLawsTest::group));
        }

        DecisionCall decisionCall() {
            return DecisionCall.decideEach(POLICIES, groups);
        }

        /** How many equal ones one call of the algorithm may settle. */
        int most() {
            if (groups.size() > 1 || groups.get(0).checks().size() > 1) {
                return 1;
            }
            Check check = groups.get(0).checks().get(0);
            return switch (check.policy().algorithm()) {
                case CONCURRENCY -> 1;
                case SLIDING_LOG -> (int) (1_000 / check.cost());
                default -> 10_000;
            };
        }
    }

    private static CheckGroup single(Dice dice) {
        PartitionKey key = PartitionKey.of("user", dice.oneOf("alice", "bob"));
        return switch ((int) dice.between(0, 3)) {
            case 0 -> CheckGroup.of(Check.of(GCRA, key));
            case 1 -> CheckGroup.of(new Check(GCRA, key, 2));
            case 2 -> CheckGroup.of(new Check(LOG, key, dice.oneOf(334L, 500L, 1_000L)));
            default -> CheckGroup.of(Check.ofLease(FLIGHT, key, "job"));
        };
    }

    private static CheckGroup group(Dice dice) {
        return dice.chance(50)
                ? single(dice)
                : CheckGroup.of(
                        Check.of(GCRA, PartitionKey.of("user", "alice")),
                        Check.of(LOG, PartitionKey.of("user", "bob")));
    }

    /** Equal decisions: the first caller, the first place in the reply, and their number. */
    private static final class Slot {
        private final Asked asked;
        private final int place;
        private int callers = 1;

        Slot(Asked asked, int place) {
            this.asked = asked;
            this.place = place;
        }
    }

    @Test
    void eachCallerHearsItsOwn() {
        Property.forAll((Dice dice) -> dice.list(1, 20, Asked::draw))
                .tries(20_000)
                .check(callers -> {
                    List<Slot> slots = new ArrayList<>();
                    List<Slot> slotOf = new ArrayList<>();
                    List<Integer> orders = new ArrayList<>();
                    int places = 0;
                    for (Asked asked : callers) {
                        Slot latest = null;
                        for (Slot slot : slots) {
                            latest = slot.asked.equals(asked) ? slot : latest;
                        }
                        if (latest != null && asked.most() > 1 && latest.callers < asked.most()) {
                            orders.add(latest.callers++);
                        } else {
                            latest = new Slot(asked, places);
                            slots.add(latest);
                            orders.add(0);
                            places += asked.groups().size();
                        }
                        slotOf.add(latest);
                    }
                    MergedDecisions call = new MergedDecisions(
                            callers.stream().map(Asked::decisionCall).toList());
                    List<Reply> replies = call.replies(reply(places));
                    for (int i = 0; i < callers.size(); i++) {
                        Slot slot = slotOf.get(i);
                        Reply reply = replies.get(i);
                        assertThat(reply.atMicros())
                                .as("first place of caller %d", i)
                                .isEqualTo(slot.place);
                        assertThat(reply.isShared())
                                .as("shared by caller %d", i)
                                .isEqualTo(slot.callers > 1);
                        if (slot.callers > 1) {
                            assertThat(reply.place()).isEqualTo(orders.get(i));
                        }
                        for (int group = 0; group < callers.get(i).groups().size(); group++) {
                            assertThat(reply.next())
                                    .as("group %d of caller %d", group, i)
                                    .isEqualTo(slot.place + group);
                        }
                    }
                    int checks = slots.stream()
                            .flatMap(slot -> slot.asked.groups().stream())
                            .mapToInt(group -> group.checks().size())
                            .sum();
                    assertThat(call.keys()).hasSize(checks);
                    if (places > 1) {
                        Object surplus = reply(places + 1);
                        assertThatExceptionOfType(ClassCastException.class).isThrownBy(() -> call.replies(surplus));
                    }
                });
    }

    /** A reply with the number of each group in place of the instant. */
    private static Object reply(int places) {
        List<Object> each = new ArrayList<>();
        for (int place = 0; place < places; place++) {
            each.add(Packed.packed(place));
        }
        return places == 1 ? each.get(0) : each;
    }
}
