package dev.limiter.jaxrs.internal.bootstrap;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Enforcement.SHADOW;
import static dev.limiter.Enforcement.SOFT;
import static dev.limiter.Stage.BEFORE_AUTHENTICATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Enforcement;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimited;
import dev.limiter.RateLimiter;
import dev.limiter.Stage;
import dev.limiter.Tier;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.QuotaSource.Quota;
import dev.limiter.jaxrs.RateLimits;
import dev.limiter.jaxrs.internal.declaration.PlanReader;
import dev.limiter.jaxrs.internal.form.FakeRequest;
import dev.limiter.jaxrs.internal.policy.Limit;
import dev.limiter.jaxrs.internal.policy.Plan;
import dev.limiter.jaxrs.internal.quota.DirectQuotas;
import dev.limiter.jaxrs.internal.request.RequestState;
import dev.limiter.jaxrs.internal.settings.LiveSettings;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.core.Application;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Members of the annotation beside each other: an anchor, a contract quota and a soft limit, each
 * alone and all at once, on each way to the limiter, under each change of configuration, and
 * beside two other policies. A plain rule says which members the limiter is asked with.
 */
@Timeout(60)
class MembersTogetherTest {
    private static final String CUSTOMER = "{header:Customer}";
    private static final String MONTH = "1 month";
    private static final String DAY = "{attribute:day|'1'}";
    private static final long DECLARED = 10;
    private static final long CONFIGURED = 20;
    private static final long CONTRACT = 40;

    private final MapSettings settings = new MapSettings();
    private long nanos;
    private long contract = CONTRACT;
    private long settled;
    private final ApplicationRuntime runtime =
            new ApplicationRuntime(settings, ServerContext.ofServlets("", () -> {}), () -> nanos);
    private final RateLimiter limiter = runtime.limiter();

    /** Methods by the member and the way to the limiter. */
    interface Resource {
        @RateLimited(name = "x", key = CUSTOMER, algorithm = FIXED_WINDOW, limit = 10, window = MONTH + " from " + DAY)
        void anchor();

        @RateLimited(
                name = "x",
                key = CUSTOMER,
                algorithm = FIXED_WINDOW,
                limit = 10,
                window = MONTH + " from " + DAY,
                stage = BEFORE_AUTHENTICATION)
        void anchorEarly();

        @RateLimited(
                name = "x",
                key = CUSTOMER,
                algorithm = FIXED_WINDOW,
                limit = 10,
                window = MONTH + " from " + DAY,
                cost = "0")
        void anchorOfMethod();

        @RateLimited(
                name = "x",
                key = CUSTOMER,
                algorithm = FIXED_WINDOW,
                limit = 10,
                window = MONTH + " from " + DAY,
                enforcement = SHADOW)
        void anchorShadow();

        @RateLimited(name = "x", key = CUSTOMER, algorithm = FIXED_WINDOW, limit = 10, window = MONTH)
        void contract();

        @RateLimited(
                name = "x",
                key = CUSTOMER,
                algorithm = FIXED_WINDOW,
                limit = 10,
                window = MONTH,
                stage = BEFORE_AUTHENTICATION)
        void contractEarly();

        @RateLimited(name = "x", key = CUSTOMER, algorithm = FIXED_WINDOW, limit = 10, window = MONTH, cost = "0")
        void contractOfMethod();

        @RateLimited(
                name = "x",
                key = CUSTOMER,
                algorithm = FIXED_WINDOW,
                limit = 10,
                window = MONTH,
                enforcement = SHADOW)
        void contractShadow();

        @RateLimited(
                name = "x",
                key = CUSTOMER,
                algorithm = FIXED_WINDOW,
                limit = 10,
                window = MONTH,
                enforcement = SOFT)
        void soft();

        @RateLimited(
                name = "x",
                key = CUSTOMER,
                algorithm = FIXED_WINDOW,
                limit = 10,
                window = MONTH,
                enforcement = SOFT,
                stage = BEFORE_AUTHENTICATION)
        void softEarly();

        @RateLimited(
                name = "x",
                key = CUSTOMER,
                algorithm = FIXED_WINDOW,
                limit = 10,
                window = MONTH,
                enforcement = SOFT,
                cost = "0")
        void softOfMethod();

        @RateLimited(
                name = "x",
                key = CUSTOMER,
                algorithm = FIXED_WINDOW,
                limit = 10,
                window = MONTH + " from " + DAY,
                enforcement = SOFT)
        void all();

        @RateLimited(
                name = "x",
                key = CUSTOMER,
                algorithm = FIXED_WINDOW,
                limit = 10,
                window = MONTH + " from " + DAY,
                enforcement = SOFT,
                stage = BEFORE_AUTHENTICATION)
        void allEarly();

        @RateLimited(
                name = "x",
                key = CUSTOMER,
                algorithm = FIXED_WINDOW,
                limit = 10,
                window = MONTH + " from " + DAY,
                enforcement = SOFT,
                cost = "0")
        void allOfMethod();
    }

    /** Two policies of the same method, one without an anchor and one with another anchor. */
    interface Beside {
        @GET
        @RateLimited(name = "plain", key = CUSTOMER, algorithm = FIXED_WINDOW, limit = 3, window = MONTH)
        @RateLimited(
                name = "other",
                key = CUSTOMER,
                algorithm = FIXED_WINDOW,
                limit = 4,
                window = MONTH + " from " + "{attribute:other|'1'}")
        void get();
    }

    /** A method that reserves units of a tier. */
    interface Tiered {
        @GET
        @RateLimited(
                name = "tiered",
                key = CUSTOMER,
                algorithm = FIXED_WINDOW,
                limit = 10,
                window = MONTH + " from " + DAY,
                tier = "{attribute:plan}",
                tiers = @Tier(name = "gold", limit = 20),
                cost = "0")
        void get();
    }

    private enum Member {
        ANCHOR,
        CONTRACT,
        SOFT,
        ALL;

        boolean anchored() {
            return this == ANCHOR || this == ALL;
        }

        boolean hasContract() {
            return this == CONTRACT || this == ALL;
        }

        Enforcement enforcement() {
            return this == SOFT || this == ALL ? Enforcement.SOFT : Enforcement.ENFORCED;
        }
    }

    /** How the limiter comes to be asked. */
    private enum Way {
        FILTER(""),
        EARLY_FILTER("Early"),
        SHADOW("Shadow"),
        UNITS_OF_THE_METHOD("OfMethod"),
        KEY_OF_THE_METHOD(""),
        OPERATOR("");

        final String suffix;

        Way(String suffix) {
            this.suffix = suffix;
        }
    }

    /** What configuration changes while requests run. */
    private enum Change {
        NONE,
        LIMIT,
        ZONE,
        PUBLISHED,
        SWITCHED_OFF,
        BACK_AGAIN
    }

    static Stream<Arguments> cells() {
        List<Arguments> cells = new ArrayList<>();
        for (Member member : Member.values()) {
            for (Way way : Way.values()) {
                if (way != Way.SHADOW || member == Member.ANCHOR || member == Member.CONTRACT) {
                    for (Change change : Change.values()) {
                        cells.add(Arguments.of(member, way, change));
                    }
                }
            }
        }
        return cells.stream();
    }

    @AfterEach
    void close() {
        runtime.close();
        limiter.close();
    }

    @ParameterizedTest
    @MethodSource("cells")
    void limiterIsAskedWithTheNumbersOfEachMember(Member member, Way way, Change change) {
        List<Limit> limits = declared(member, way);
        assertThat(runtime.policies().asksForCallers())
                .as("the filter shows requests without limits, too")
                .isTrue();
        asked(limits, way); // under the declaration, so that what is cached of it must give way
        change(change);
        List<Policy> asked = asked(limits, way);
        if (change == Change.SWITCHED_OFF) {
            assertThat(asked).extracting(Policy::name).doesNotContain("x");
            return;
        }
        Policy x = named(asked, "x");
        long expected = change == Change.LIMIT ? CONFIGURED : DECLARED;
        assertThat(x.limit()).isEqualTo(member.hasContract() ? CONTRACT : expected);
        CalendarPeriod month = CalendarPeriod.parse(change == Change.ZONE ? "1 month Asia/Tokyo" : MONTH);
        assertThat(x.period())
                .isEqualTo(member.anchored() ? month.withAnchor("7").movable() : month);
        assertThat(x.enforcement()).isEqualTo(way == Way.SHADOW ? Enforcement.SHADOW : member.enforcement());
        if (way != Way.OPERATOR) {
            assertThat(named(asked, "plain").period()).isEqualTo(CalendarPeriod.parse(MONTH));
            assertThat(named(asked, "other").period())
                    .isEqualTo(CalendarPeriod.parse(MONTH).withAnchor("23").movable());
        }
    }

    /** A log holds less than the contract: then the quota of configuration holds, and not none. */
    @Test
    void contractThatConfigurationMakesImpossibleGivesWayToItsNumbers() {
        contract = 1L << 30;
        List<Limit> limits = declared(Member.CONTRACT, Way.FILTER);
        assertThat(named(asked(limits, Way.FILTER), "x").limit()).isEqualTo(contract);
        settings.with("limiter.policy.x.algorithm", "SLIDING_LOG").with("limiter.policy.x.window", "1h");
        change(Change.LIMIT);
        assertThat(named(asked(limits, Way.FILTER), "x").limit()).isEqualTo(CONFIGURED);
        settings.without("limiter.policy.x.algorithm").without("limiter.policy.x.window");
        change(Change.NONE);
        assertThat(named(asked(limits, Way.FILTER), "x").limit())
                .as("known still")
                .isEqualTo(contract);
    }

    /** What was acquired in the month is settled there, though the policy has become a log. */
    @ParameterizedTest
    @ValueSource(longs = {1, 3, 7})
    void methodSettlesWhatItAcquiredBeforeConfigurationTookThePeriodAway(long used) {
        List<Limit> limits = declared(Member.CONTRACT, Way.UNITS_OF_THE_METHOD);
        RequestState state = runtime.requests().begin(true);
        FakeRequest caller = new FakeRequest().with("header:Customer", "acme");
        assertThat(runtime.requests().evaluator().decide(state, limits, caller)).isNull();
        state.limits().reserve("x", 3);
        settings.with("limiter.policy.x.algorithm", "SLIDING_LOG").with("limiter.policy.x.window", "1h");
        change(Change.NONE);
        state.limits().settle("x", used);
        Policy month = Policy.of("x", CONTRACT, CalendarPeriod.parse(MONTH));
        PartitionKey acme = PartitionKey.of("header:Customer", "acme");
        assertThat(limiter.peek(month, acme).used()).isEqualTo(used);
    }

    /** Of a reserved estimate. The periods stay those of the caller. */
    @ParameterizedTest
    @CsvSource({"none, limit", "gold, tier.gold.limit"})
    void methodSettlesByTheLimitThatConfigurationHasRaised(String tier, String raised) {
        RequestState state = runtime.requests().begin(true);
        FakeRequest caller = new FakeRequest()
                .with("header:Customer", "acme")
                .with("attribute:plan", tier)
                .with("attribute:day", "7");
        assertThat(runtime.requests().evaluator().decide(state, read(Tiered.class, "get"), caller))
                .isNull();
        state.limits().reserve("tiered", 5);
        settings.with("limiter.policy.tiered." + raised, "1000");
        change(Change.NONE);
        ChargeResult charge = state.limits().settle("tiered", 500);
        assertThat(List.of(charge.charged(), charge.dropped(), charge.remaining()))
                .containsExactly(495L, 0L, 500L);
        assertThat(charge.policy().period())
                .isEqualTo(CalendarPeriod.parse(MONTH).withAnchor("7").movable());
    }

    private void change(Change change) {
        switch (change) {
            case NONE -> {}
            case LIMIT -> settings.with("limiter.policy.x.limit", "" + CONFIGURED);
            case ZONE -> settings.with("limiter.policy.x.window", "1 month Asia/Tokyo");
            case PUBLISHED -> settings.with("limiter.policy.x.publish", "false");
            case SWITCHED_OFF -> settings.with("limiter.policy.x.enabled", "false");
            case BACK_AGAIN -> {
                change(Change.SWITCHED_OFF);
                settings.without("limiter.policy.x.enabled");
            }
        }
        nanos += TimeUnit.SECONDS.toNanos(LiveSettings.PAUSE_SECONDS);
        runtime.policies().readAgainWhenDue();
    }

    /** The limits of a method of {@link Resource}, between those of {@link Beside}. */
    private List<Limit> declared(Member member, Way way) {
        List<Limit> beside = read(Beside.class, "get");
        Limit x = read(Resource.class, member.name().toLowerCase(Locale.ROOT) + way.suffix)
                .get(0);
        if (member.hasContract()) {
            x.policy().quotaFrom(DirectQuotas.bean(partition -> Quota.of(contract), () -> 0, 1));
        }
        return List.of(beside.get(0), x, beside.get(1));
    }

    private List<Limit> read(Class<?> type, String method) {
        List<String> problems = new ArrayList<>();
        try {
            Plan plan =
                    new PlanReader(runtime.policies(), Application.class).read(type, type.getMethod(method), problems);
            assertThat(problems).isEmpty();
            return plan.limits();
        } catch (NoSuchMethodException missing) {
            throw new AssertionError(missing);
        }
    }

    /** The policies that a request of a caller asks the limiter for, on one way. */
    private List<Policy> asked(List<Limit> limits, Way way) {
        if (way == Way.OPERATOR) {
            return runtime
                    .limits()
                    .check("x", Map.of("header:Customer", "acme", "attribute:day", "7"))
                    .map(Check::policy)
                    .stream()
                    .toList();
        }
        RequestState state = runtime.requests().begin(true);
        FakeRequest caller = new FakeRequest()
                .with("header:Customer", "acme")
                .with("attribute:day", "7")
                .with("attribute:other", "23");
        for (Stage stage : List.of(Stage.BEFORE_AUTHENTICATION, Stage.AFTER_AUTHENTICATION)) {
            List<Limit> ofStage = limits.stream()
                    .filter(limit -> limit.stage() == stage)
                    .filter(limit ->
                            way != Way.KEY_OF_THE_METHOD || !limit.name().equals("x"))
                    .toList();
            assertThat(runtime.requests().evaluator().decide(state, ofStage, caller))
                    .isNull();
        }
        RateLimits ofRequest = state.limits();
        if (way == Way.UNITS_OF_THE_METHOD) {
            ofRequest.reserve("x", 3);
            long used = ofRequest.settle("x", 2).used();
            settled += state.limits().skipped("x") == null ? 2 : 0;
            assertThat(used).isEqualTo(state.limits().skipped("x") == null ? settled : 0);
        }
        if (way == Way.KEY_OF_THE_METHOD) {
            for (Limit limit : limits) {
                ofRequest.acquire(limit.name(), "account");
            }
        }
        return ofRequest.decisions().stream()
                .flatMap(decision -> decision.results().stream())
                .map(CheckResult::policy)
                .toList();
    }

    private static Policy named(List<Policy> asked, String name) {
        return asked.stream()
                .filter(policy -> policy.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
