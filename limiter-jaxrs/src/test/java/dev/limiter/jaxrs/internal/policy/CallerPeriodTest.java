package dev.limiter.jaxrs.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.internal.algorithm.PolicyMembers;
import dev.limiter.jaxrs.internal.form.FakeRequest;
import dev.limiter.jaxrs.internal.signals.MeterSheet;
import dev.limiter.local.LocalRateLimiter;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the periods of a caller begin, and in which zone. */
class CallerPeriodTest {
    private static final CalendarPeriod MONTH = DeclaredWindow.parse("1 month Europe/Paris from {attribute:day|'1'}")
            .anchored();
    private static final EffectivePolicy PLAN = EffectivePolicy.of(Policy.of("plan", 100, MONTH), true);
    private static final CallerPeriod OF_CALLER = CallerPeriod.of("", "{attribute:day|'1'}", MONTH);

    private final List<String> unusable = new ArrayList<>();
    private final PolicyVersion version = version();

    private EffectivePolicy of(CallerPeriod periods, EffectivePolicy policy, FakeRequest request) {
        Consumer<MeterSheet> heard =
                meter -> unusable.add((meter == MeterSheet.ANCHOR_UNUSABLE ? "anchor of " : "zone of ")
                        + policy.policy().name());
        return periods.of(policy, StatedByTest.of(request, heard), version);
    }

    private EffectivePolicy of(CallerPeriod periods, EffectivePolicy policy, String day) {
        return of(periods, policy, day == null ? new FakeRequest() : new FakeRequest().with("attribute:day", day));
    }

    private static PolicyVersion version() {
        PolicyMembers plan = PolicyMembers.of("plan", Algorithm.FIXED_WINDOW, 100);
        DeclaredWindow month = DeclaredWindow.parse("1 month");
        return PolicyVersion.of(new PolicyDeclaration(plan, month, Map.of(), false), true, true, List.of());
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "15", "31", "2024-02-29"})
    void aBillingDayMovesThePeriodAndNothingElse(String day) {
        EffectivePolicy moved = of(OF_CALLER, PLAN, day);
        assertThat(moved.policy()).isEqualTo(PLAN.policy().in(MONTH.withAnchor(day)));
        assertThat(moved.policyItem()).isEqualTo("\"plan\";q=100");
        assertThat(moved.published()).isTrue();
        assertThat(of(OF_CALLER, PLAN, day)).as("made once").isSameAs(moved);
        assertThat(of(OF_CALLER, EffectivePolicy.of(PLAN.policy(), false), day).published())
                .isFalse();
        assertThat(unusable).isEmpty();
    }

    /** Each day its period would end tomorrow; on the first day, March 31, it has no anchor. */
    @Test
    void aBillingDayThatMovesEachDayGivesTwoQuotasInAMonth() {
        Instant[] now = {Instant.parse("2024-03-31T21:30:00Z")};
        LocalRateLimiter limiter = new LocalRateLimiter(() -> now[0]);
        int quotas = 0;
        for (int day = 0; day < 30; day++) {
            String tomorrow = LocalDate.of(2024, 4, 1).plusDays(day).toString();
            Policy moved = of(OF_CALLER, PLAN, day == 0 ? "none" : tomorrow).policy();
            Check all = new Check(moved, PartitionKey.of("user", "alice"), 100);
            quotas += limiter.acquire(CheckGroup.of(all)).admitted() ? 1 : 0;
            now[0] = now[0].plus(Duration.ofDays(1));
        }
        assertThat(quotas).isEqualTo(2);
    }

    @Test
    void aPeriodIsThatOfTheZoneOfTheCallerAndUtcIfItIsUnknown() {
        DeclaredWindow window = DeclaredWindow.parse("1 month {attribute:zone} from {attribute:day|'1'}");
        EffectivePolicy plan = EffectivePolicy.of(Policy.of("plan", 100, window.anchored()), true);
        CalendarPeriod month = CalendarPeriod.parse("1 month").movable();
        FakeRequest paris = new FakeRequest().with("attribute:zone", " Europe/Paris ");
        EffectivePolicy inParis = of(window.ofCaller(), plan, paris);
        assertThat(inParis.policy()).isEqualTo(plan.policy().in(month.withZone("Europe/Paris")));
        assertThat(unusable).isEmpty();
        for (String zone : List.of("Europe/Pari", "europe/paris", " ", "{attribute:zone}", "+19:00")) {
            FakeRequest elsewhere =
                    new FakeRequest().with("attribute:zone", zone).with("attribute:day", "7");
            assertThat(of(window.ofCaller(), plan, elsewhere).policy().period()).isEqualTo(month.withAnchor("7"));
            assertThat(unusable).as(zone).containsExactly("zone of plan");
            unusable.clear();
        }
        assertThat(of(window.ofCaller(), plan, new FakeRequest().with("attribute:day", "0")))
                .isSameAs(plan);
        assertThat(unusable).containsExactly("zone of plan", "anchor of plan");
    }

    @Test
    void eachRequestWithoutAUsableZoneIsHeardOfAndAStatedZoneIsUsed() {
        DeclaredWindow window = DeclaredWindow.parse("1 month {attribute:zone} from {attribute:day|'1'}");
        EffectivePolicy plan = EffectivePolicy.of(Policy.of("plan", 100, window.anchored()), true);
        CallerPeriod periods = window.ofCaller();
        FakeRequest lost =
                new FakeRequest().with("attribute:zone", "Europe/Pari").with("attribute:day", "7");
        of(periods, plan, lost);
        of(periods, plan, lost);
        assertThat(unusable).containsExactly("zone of plan", "zone of plan");
        assertThat(of(periods, plan, lost.with("attribute:zone", "Europe/Paris"))
                        .policy()
                        .period())
                .isEqualTo(plan.policy().period().withZone("Europe/Paris").withAnchor("7"));
        assertThat(unusable).hasSize(2);
    }

    /** Each hour it is in the zone in which midnight comes next. */
    @Test
    void aZoneThatMovesEachHourGivesNoFurtherQuota() {
        DeclaredWindow window = DeclaredWindow.parse("1 day {attribute:zone|'UTC'}");
        EffectivePolicy plan = EffectivePolicy.of(Policy.of("plan", 100, window.anchored()), true);
        Instant[] now = {Instant.parse("2024-03-01T00:30:00Z")};
        LocalRateLimiter limiter = new LocalRateLimiter(() -> now[0]);
        int quotas = 0;
        for (int hour = 0; hour < 48; hour++) {
            int east = 23 - hour % 24;
            String zone = "Etc/GMT" + (east > 12 ? "+" + (24 - east) : "-" + east);
            Policy moved = of(window.ofCaller(), plan, new FakeRequest().with("attribute:zone", zone))
                    .policy();
            quotas += limiter.acquire(CheckGroup.of(new Check(moved, PartitionKey.of("user", "alice"), 100)))
                            .admitted()
                    ? 1
                    : 0;
            now[0] = now[0].plus(Duration.ofHours(1));
        }
        assertThat(quotas).as("without the rule 48").isEqualTo(3);
    }

    @Test
    void aLiteralHoldsForEachCaller() {
        DeclaredWindow fifteenth = DeclaredWindow.parse("1 month Europe/Paris from  15 ");
        assertThat(fifteenth.anchored())
                .isEqualTo(CalendarPeriod.parse("1 month Europe/Paris").withAnchor("15"));
        assertThat(fifteenth.ofCaller()).isNull();
        assertThat(of(OF_CALLER, PLAN, new FakeRequest()).policy().period()).isEqualTo(MONTH.withAnchor("1"));
    }

    @Test
    void theNumbersThatAreKeptAreBoundedAndNewOnesAreKeptToo() {
        CallerPeriod anchor = CallerPeriod.of("", "{attribute:day|'1'}", MONTH);
        LocalDate first = LocalDate.of(2000, 1, 1);
        for (int i = 0; i < 3 * PolicyVersion.MOST_KNOWN; i++) {
            String day = first.plusDays(i).toString();
            assertThat(of(anchor, PLAN, day)).as(day).isSameAs(of(anchor, PLAN, day));
            assertThat(version.made().size()).isLessThanOrEqualTo(PolicyVersion.MOST_KNOWN);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "32", "-1", "x", "02-29", "99999999999999999999", "  "})
    void aValueThatIsNoAnchorIsCountedAndChangesNothing(String day) {
        assertThat(of(OF_CALLER, PLAN, day)).isSameAs(PLAN);
        assertThat(unusable).containsExactly("anchor of plan");
    }

    @Test
    void aWindowOfOneLengthHasNoAnchor() {
        PolicyMembers plan = PolicyMembers.of("plan", Algorithm.FIXED_WINDOW, 5);
        DeclaredWindow day = DeclaredWindow.of(Duration.ofDays(1));
        assertThat(new PolicyDeclaration(plan, day, Map.of(), false).callerPeriod())
                .isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "1 month {query:zone}; {query:zone}\" is written by the caller",
                "1 month {header:X-Zone|query:z}; {header:X-Zone}\" or \"{query:z}\" is written by the caller",
                "1 month {claim:zone|'Europe/Pari'}; did you mean \"Europe/Paris\"?",
                "1 month Europe/Paris {claim:zone}; must be one placeholder",
                "1 month from 15 {claim:zone}; must be one placeholder",
                "1 month {clam:zone}; {clam:zone}",
                "2 months {claim:zone}; \"2 months\" is not a calendar period",
                "month {claim:zone}; \"month {claim:zone}\" is not a calendar period",
                "1d {claim:zone}; is not a duration",
            })
    void aWrongZoneIsRefused(String window, String why) {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> DeclaredWindow.parse(window))
                .withMessageContaining(why);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "32",
                "'15'",
                "{query:day|'1'}",
                "{header:X-Day|'1'}",
                "{attribute:day|'x'}",
                "{attribute:day}{attribute:month}",
                "{atribute:day}",
            })
    void whatIsWrongIsRefused(String text) {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> DeclaredWindow.parse("1 month from " + text))
                .withMessageContaining("\"");
    }
}
