package dev.limiter.jaxrs.internal.response;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.CheckResult;
import dev.limiter.Policy;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.jaxrs.internal.policy.EffectivePolicy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LegacyHeadersTest {
    private static final Policy PLAN = Policy.of("plan", 100, CalendarPeriod.parse("1 month"));

    private static final CheckResult RATE = result(Policy.of("rate", FIXED_WINDOW, 10, Duration.ofMinutes(1)), 7, 30);

    @Test
    void theLimitThatWillRejectIsShownBesideAnExceededSoftOne() {
        CheckResult exceeded = result(PLAN.asSoft(), 0, 1_036_800);
        for (List<CheckResult> order : List.of(List.of(exceeded, RATE), List.of(RATE, exceeded))) {
            assertThat(written(order)).isEqualTo(fields("10", "7", "30"));
        }
    }

    @Test
    void ofLimitsThatRejectTheOneWithTheLeastIsShown() {
        assertThat(written(List.of(RATE, result(PLAN, 3, 1_036_800)))).isEqualTo(fields("100", "3", "1036800"));
    }

    @Test
    void aSoftLimitIsShownIfThereIsNoOther() {
        assertThat(written(List.of(result(PLAN.asSoft(), 0, 1_036_800)))).isEqualTo(fields("100", "0", "1036800"));
    }

    private static CheckResult result(Policy policy, long remaining, long resetSeconds) {
        long reset = resetSeconds * 1_000_000;
        return new CheckResult(policy, true, remaining, 0, reset, reset);
    }

    private static Map<String, String> fields(String limit, String remaining, String reset) {
        return Map.of("X-RateLimit-Limit", limit, "X-RateLimit-Remaining", remaining, "X-RateLimit-Reset", reset);
    }

    private static Map<String, String> written(List<CheckResult> results) {
        Map<String, String> fields = new HashMap<>();
        Stream<PublishedResult> published =
                results.stream().map(result -> new PublishedResult(EffectivePolicy.of(result.policy(), true), result));
        new LegacyHeaders().write(published.toList(), fields::put);
        return fields;
    }
}
