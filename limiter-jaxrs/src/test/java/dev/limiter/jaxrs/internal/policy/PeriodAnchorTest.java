package dev.limiter.jaxrs.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.jaxrs.internal.form.FakeRequest;
import dev.limiter.local.LocalRateLimiter;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The start of a caller's periods. */
class PeriodAnchorTest {
    private static final CalendarPeriod MONTH = DeclaredWindow.parse("1 month Europe/Paris")
            .anchoredAt("{attribute:day|'1'}")
            .anchored();
    private static final EffectivePolicy PLAN = EffectivePolicy.of(Policy.of("plan", 100, MONTH), true);
    private static final PeriodAnchor OF_CALLER = PeriodAnchor.compile("{attribute:day|'1'}", MONTH);

    private final AtomicInteger unusable = new AtomicInteger();

    private EffectivePolicy of(PeriodAnchor anchor, EffectivePolicy policy, String day) {
        FakeRequest request = day == null ? new FakeRequest() : new FakeRequest().with("attribute:day", day);
        return anchor.of(policy, request, unusable::incrementAndGet);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "15", "31", "2024-02-29"})
    void aBillingDayMovesThePeriodAndNothingElse(String day) {
        EffectivePolicy moved = of(OF_CALLER, PLAN, day);
        assertThat(moved.policy()).isEqualTo(PLAN.policy().in(MONTH.withAnchor(day)));
        assertThat(moved.policyItem()).isEqualTo("\"plan\";q=100");
        assertThat(moved.published()).isTrue();
        assertThat(of(OF_CALLER, PLAN, day)).as("made once").isSameAs(moved);
        assertThat(unusable).hasValue(0);
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
    void aLiteralHoldsForEachCaller() {
        DeclaredWindow fifteenth = DeclaredWindow.parse("1 month Europe/Paris").anchoredAt(" 15 ");
        assertThat(fifteenth.anchored())
                .isEqualTo(CalendarPeriod.parse("1 month Europe/Paris").withAnchor("15"));
        assertThat(fifteenth.ofCaller()).isNull();
        assertThat(of(OF_CALLER, PLAN, null).policy().period()).isEqualTo(MONTH.withAnchor("1"));
    }

    @Test
    void theNumbersThatAreKeptAreBoundedAndNewOnesAreKeptToo() {
        PeriodAnchor anchor = PeriodAnchor.compile("{attribute:day|'1'}", MONTH);
        LocalDate first = LocalDate.of(2000, 1, 1);
        for (int i = 0; i < 3 * PeriodAnchor.MOST_KNOWN; i++) {
            String day = first.plusDays(i).toString();
            assertThat(of(anchor, PLAN, day)).as(day).isSameAs(of(anchor, PLAN, day));
            assertThat(anchor.known()).isLessThanOrEqualTo(PeriodAnchor.MOST_KNOWN);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "32", "-1", "x", "02-29", "99999999999999999999", "  "})
    void aValueThatIsNoAnchorIsCountedAndChangesNothing(String day) {
        assertThat(of(OF_CALLER, PLAN, day)).isSameAs(PLAN);
        assertThat(unusable).hasValue(1);
    }

    @Test
    void aWindowOfOneLengthHasNoAnchor() {
        EffectivePolicy window =
                EffectivePolicy.of(Policy.of("plan", Algorithm.FIXED_WINDOW, 5, Duration.ofDays(1)), true);
        assertThat(of(OF_CALLER, window, "15")).isSameAs(window);
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
                .isThrownBy(() -> DeclaredWindow.parse("1 month").anchoredAt(text))
                .withMessageContaining("\"");
    }
}
