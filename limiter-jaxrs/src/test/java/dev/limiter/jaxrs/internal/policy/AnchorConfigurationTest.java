package dev.limiter.jaxrs.internal.policy;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Policy;
import dev.limiter.RateLimited;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.jaxrs.LogLines;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.internal.declaration.PlanReader;
import dev.limiter.jaxrs.internal.form.FakeRequest;
import dev.limiter.jaxrs.internal.settings.LiveSettings;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.core.Application;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows of configuration over declarations with an anchor, and declarations of one name. */
class AnchorConfigurationTest {
    private static final CalendarPeriod MONTH = CalendarPeriod.parse("1 month");

    private final MapSettings settings = new MapSettings();
    private final LogLines log = new LogLines("dev.limiter.plan");
    private long nanos;

    interface Resource {
        @GET
        @RateLimited(name = "literal", key = "{user}", algorithm = FIXED_WINDOW, limit = 5, window = "1 month from 15")
        @RateLimited(
                name = "caller",
                key = "{user}",
                algorithm = FIXED_WINDOW,
                limit = 5,
                window = "1 month from {attribute:day|'15'}")
        @RateLimited(
                name = "zoned",
                key = "{user}",
                algorithm = FIXED_WINDOW,
                limit = 5,
                window = "1 month {attribute:zone|'UTC'} from 15")
        void get();
    }

    interface Other {
        @GET
        @RateLimited(
                name = "zoned",
                key = "{user}",
                algorithm = FIXED_WINDOW,
                limit = 5,
                window = "1 month {attribute:region|'UTC'} from 15")
        void zoned();

        @GET
        @RateLimited(name = "literal", key = "{user}", algorithm = FIXED_WINDOW, limit = 5, window = "1 month from 16")
        void literal();

        @GET
        @RateLimited(
                name = "caller",
                key = "{user}",
                algorithm = FIXED_WINDOW,
                limit = 5,
                window = "1 month from {attribute:day|'16'}")
        void caller();
    }

    @AfterEach
    void closeLog() {
        log.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "literal ; 1 day ; 15 ; a period of 1 day has no anchor; leave out \"15\"",
                "literal ; 1 week ; 15 ; the anchor of a period of 1 week must be 1",
                "literal ; 1 year ; 15 ; the anchor of a period of 1 year must be",
                "caller ; 1 day ; {attribute:day|'15'} ; a period of 1 day has no anchor; leave out",
                "caller ; 1 week ; {attribute:day|'15'} ; the anchor of a period of 1 week must be 1",
            })
    void aPeriodThatDoesNotFitTheAnchorIsRefusedAndTheNumbersStay(
            String policy, String window, String anchor, String reason) {
        String setting = "limiter.policy." + policy + ".window";
        String message = setting + ": \"" + window + "\" does not fit the anchor \"" + anchor + "\" of the annotation: "
                + reason;
        PolicyRegistry running = policies();
        assertThat(read(running, Resource.class, 0)).isEmpty();
        Policy before = running.named(policy).version().policy();
        log.taken();
        settings.with(setting, window);
        readAgain(running);
        assertThat(running.named(policy).version().policy()).isEqualTo(before);
        assertThat(log.taken())
                .singleElement()
                .asString()
                .startsWith("WARNING " + message)
                .endsWith("; the old settings stay");
        assertThat(read(policies(), Resource.class, 0))
                .as("at deployment")
                .singleElement()
                .asString()
                .startsWith(message);
    }

    @Test
    void theAnchorHoldsForAnotherTimeZoneAndASpanHasNone() {
        PolicyRegistry running = policies();
        assertThat(read(running, Resource.class, 0)).isEmpty();
        assertThat(running.named("literal").version().policy().period()).isEqualTo(MONTH.withAnchor("15"));
        settings.with("limiter.policy.literal.window", "1 month Asia/Tokyo");
        readAgain(running);
        assertThat(running.named("literal").version().policy().period())
                .isEqualTo(CalendarPeriod.parse("1 month Asia/Tokyo").withAnchor("15"));
        settings.with("limiter.policy.literal.window", "30d");
        readAgain(running);
        assertThat(running.named("literal").version().policy().period()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"literal", "caller", "zoned"})
    void anAnchorOfConfigurationTakesThePlaceOfTheDeclaredOne(String policy) {
        PolicyRegistry running = policies();
        assertThat(read(running, Resource.class, 0)).isEmpty();
        settings.with("limiter.policy." + policy + ".window", "1 month from 7");
        readAgain(running);
        assertThat(running.named(policy).version().policy().period()).isEqualTo(MONTH.withAnchor("7"));
        assertThat(running.named(policy).version().callerPeriod()).isNull();
    }

    /** A window of configuration has the zone that it names. */
    @Test
    void aWindowOfConfigurationTakesTheZoneOfTheCallerAwayAndGivesItBack() {
        PolicyRegistry running = policies();
        assertThat(read(running, Resource.class, 0)).isEmpty();
        assertThat(zoned(running)).isEqualTo("1 month Asia/Tokyo from 15");
        settings.with("limiter.policy.zoned.window", "1 month Europe/Paris");
        readAgain(running);
        assertThat(zoned(running)).isEqualTo("1 month Europe/Paris from 15");
        settings.with("limiter.policy.zoned.window", "1 week {attribute:zone|'UTC'}");
        readAgain(running);
        assertThat(zoned(running)).as("refused").isEqualTo("1 month Europe/Paris from 15");
        settings.with("limiter.policy.zoned.window", "1 month {attribute:zone|'UTC'}");
        readAgain(running);
        assertThat(zoned(running)).isEqualTo("1 month Asia/Tokyo from 15");
        log.taken();
        settings.with("limiter.policy.zoned.window", "1 month {attribute:region|'UTC'}");
        readAgain(running);
        assertThat(zoned(running)).isEqualTo("1 month Asia/Tokyo from 15");
        assertThat(log.taken())
                .singleElement()
                .asString()
                .startsWith("WARNING limiter.policy.zoned.window: \"{attribute:region|'UTC'}\" is for annotations");
    }

    private static String zoned(PolicyRegistry policies) {
        ReloadablePolicy policy = policies.named("zoned");
        FakeRequest request = new FakeRequest().with("attribute:zone", "Asia/Tokyo");
        return policy.of(StatedByTest.of(request, what -> {})).policy().period().toString();
    }

    @Test
    void declarationsOfANameHaveOneZone() {
        PolicyRegistry policies = policies();
        assertThat(read(policies, Resource.class, 0)).isEmpty();
        assertThat(read(policies, Other.class, 2))
                .singleElement()
                .asString()
                .startsWith("@RateLimited.window on Other.zoned: \"zoned\" is FIXED_WINDOW 5 per 1 month"
                        + " {attribute:region|'UTC'} from 15 here and FIXED_WINDOW 5 per 1 month"
                        + " {attribute:zone|'UTC'} from 15 on Resource.get;");
    }

    /** A name is one bucket, so its periods begin at one instant. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {"0, literal, 16, 15", "1, caller, {attribute:day|'16'}, {attribute:day|'15'}"})
    void declarationsOfANameHaveOneAnchor(int method, String name, String here, String there) {
        PolicyRegistry policies = policies();
        assertThat(read(policies, Resource.class, 0)).isEmpty();
        assertThat(read(policies, Other.class, method))
                .containsExactly("@RateLimited.window on Other." + name + ": \"" + name
                        + "\" is FIXED_WINDOW 5 per 1 month from " + here + " here and FIXED_WINDOW 5 per 1 month from "
                        + there + " on Resource.get; one name is one bucket, so make them equal or rename one");
    }

    private PolicyRegistry policies() {
        return new PolicyRegistry(settings, Policy.DEFAULT_LEASE, () -> nanos);
    }

    private void readAgain(PolicyRegistry policies) {
        nanos += TimeUnit.SECONDS.toNanos(LiveSettings.PAUSE_SECONDS);
        policies.readAgainWhenDue();
    }

    private static List<String> read(PolicyRegistry policies, Class<?> resource, int method) {
        List<String> problems = new ArrayList<>();
        String name = resource == Resource.class
                ? "get"
                : List.of("literal", "caller", "zoned").get(method);
        try {
            new PlanReader(policies, Application.class).read(resource, resource.getMethod(name), problems);
        } catch (NoSuchMethodException impossible) {
            throw new AssertionError(impossible);
        }
        return problems;
    }
}
