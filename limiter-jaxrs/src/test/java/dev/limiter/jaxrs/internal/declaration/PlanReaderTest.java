package dev.limiter.jaxrs.internal.declaration;

import static dev.limiter.Algorithm.CONCURRENCY;
import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.LEAKY_BUCKET;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static dev.limiter.Algorithm.UNIFORM;
import static dev.limiter.Enforcement.SOFT;
import static dev.limiter.Refill.INTERVAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Policy;
import dev.limiter.RateLimitExempt;
import dev.limiter.RateLimited;
import dev.limiter.Stage;
import dev.limiter.Tier;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.policy.Plan;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlanReaderTest {

    @Path("tickets")
    @RateLimited(name = "api", key = "{user|ip}", algorithm = GCRA, limit = 600, window = "1m", burst = 50)
    static class TicketResource {
        @POST
        @Path("{show}")
        @RateLimited(name = "buyer", key = "{user}", algorithm = UNIFORM, limit = 1, window = "10s")
        @RateLimited(name = "show", key = "{path:show}", algorithm = SLIDING_LOG, limit = 100, window = "10s")
        public void buy() {}

        @GET
        @RateLimited(key = "{ip}", algorithm = FIXED_WINDOW, limit = 7, window = "1h")
        public void list() {}

        @GET
        @Path("free")
        @RateLimitExempt
        public void free() {}

        @GET
        @Path("other")
        @RateLimitExempt("api")
        @RateLimited(name = "other", key = "'all'", algorithm = GCRA, limit = 1, window = "1s")
        public void other() {}
    }

    @Test
    void classLimitsComeFirstAndMethodLimitsAddToThem() {
        Plan plan = plan(TicketResource.class, "buy");
        assertThat(plan.limits().stream().map(limit -> limit.name())).containsExactly("api", "buyer", "show");
        assertThat(plan.limits().get(0).policy().version().policy())
                .isEqualTo(Policy.of("api", GCRA, 600, Duration.ofMinutes(1)).withBurst(50));
        assertThat(plan.endpoint()).endsWith("TicketResource.buy()");
    }

    interface ContractResource {
        @GET
        @RateLimited(key = "{user}", algorithm = GCRA, limit = 5, window = "1d", quota = "{bean:contracts}")
        void get();
    }

    @Test
    void theLimitOfAContractVaries() {
        PolicyRegistry policies = new PolicyRegistry(name -> Optional.empty(), Policy.DEFAULT_LEASE, () -> 0);
        Plan plan = new PlanReader(policies, Application.class, false)
                .read(ContractResource.class, ContractResource.class.getDeclaredMethods()[0], new ArrayList<>());
        assertThat(plan.limits().get(0).policy().version().policy())
                .isEqualTo(Policy.of("ContractResource.get", GCRA, 5, Duration.ofDays(1))
                        .withVaryingLimit());
    }

    @Test
    void aLimitWithoutANameIsCalledAfterItsMethod() {
        assertThat(plan(TicketResource.class, "list").limits().get(1).name()).isEqualTo("TicketResource.list");
    }

    @Test
    void exemptionsTakeOutAllClassLimitsOrThoseNamed() {
        assertThat(plan(TicketResource.class, "free").isEmpty()).isTrue();
        assertThat(plan(TicketResource.class, "other").limits()).hasSize(1);
    }

    @Test
    void theTableShowsKeysAndTheMostThatAWindowAdmits() {
        String table = PlanTable.of(
                        TicketResource.class.getName(),
                        Arrays.asList(
                                plan(TicketResource.class, "buy"),
                                plan(TicketResource.class, "list"),
                                plan(TicketResource.class, "other")))
                .orElseThrow();
        assertThat(table.lines().map(String::strip))
                .element(2)
                .isEqualTo(
                        "TicketResource, shared by 2 methods  api                  {user|ip}           GCRA          600 with"
                                + " burst 50  1m      649                 annotation");
    }

    @Path("kinds")
    static class Kinds {
        @GET
        @Path("interval")
        @RateLimited(
                name = "interval",
                key = "{ip}",
                algorithm = TOKEN_BUCKET,
                refill = INTERVAL,
                borrow = true,
                limit = 10,
                window = "10s",
                burst = 20)
        public void interval() {}

        @GET
        @Path("queue")
        @RateLimited(name = "queue", key = "{ip}", algorithm = LEAKY_BUCKET, limit = 10, window = "10s", maxWait = "2s")
        public void queue() {}

        @GET
        @Path("flight")
        @RateLimited(name = "flight", key = "{ip}", algorithm = CONCURRENCY, limit = 3)
        public void flight() {}
    }

    @Test
    void eachKindOfLimitHasItsMembers() {
        Duration ten = Duration.ofSeconds(10);
        assertThat(policy(Kinds.class, "interval"))
                .isEqualTo(Policy.of("interval", TOKEN_BUCKET, 10, ten)
                        .withBurst(20)
                        .withRefill(INTERVAL)
                        .borrowing());
        assertThat(policy(Kinds.class, "queue")).isEqualTo(Policy.leakyBucket("queue", 10, ten, Duration.ofSeconds(2)));
        assertThat(policy(Kinds.class, "flight")).isEqualTo(Policy.concurrency("flight", 3));
    }

    @Test
    void theTableTellsWhatIsSpecialAboutEachKind() {
        String table = PlanTable.of(
                        Kinds.class.getName(),
                        Arrays.asList(
                                plan(Kinds.class, "interval"), plan(Kinds.class, "queue"), plan(Kinds.class, "flight")))
                .orElseThrow();
        assertThat(table.lines().map(line -> line.strip().replaceAll(" {2,}", " | ")))
                .contains(
                        "interval | interval | {ip} | TOKEN_BUCKET | 10 with burst 20, refill INTERVAL and borrow | 10s | 49 | annotation",
                        "queue | queue | {ip} | LEAKY_BUCKET | 10 with maxWait 2s | 10s | 10 | annotation",
                        "flight | flight | {ip} | CONCURRENCY | 3 in flight | 3 at any instant | annotation");
    }

    @Path("periods")
    static class Periods {
        @GET
        @RateLimited(name = "day", key = "{ip}", algorithm = FIXED_WINDOW, limit = 5, window = "1 day")
        @RateLimited(name = "week", key = "{ip}", algorithm = FIXED_WINDOW, limit = 5, window = "1 week from 7")
        @RateLimited(name = "paris", key = "{ip}", algorithm = FIXED_WINDOW, limit = 5, window = "1 day Europe/Paris")
        @RateLimited(
                name = "moved",
                key = "{ip}",
                algorithm = FIXED_WINDOW,
                limit = 5,
                window = "1 day {attribute:zone}")
        @RateLimited(name = "month", key = "{ip}", algorithm = FIXED_WINDOW, limit = 5, window = "1 month")
        @RateLimited(
                name = "soft",
                key = "{ip}",
                algorithm = FIXED_WINDOW,
                limit = 5,
                window = "1 month",
                enforcement = SOFT)
        public void get() {}
    }

    /** 24 hours see two days of UTC at most; 25 hours can see the ends of two, and one between. */
    @Test
    void theTableTellsTheMostOfEachPeriod() {
        String table = PlanTable.of(Periods.class.getName(), List.of(plan(Periods.class, "get")))
                .orElseThrow();
        assertThat(table.lines().map(line -> line.strip().replaceAll(" {2,}", " | ")))
                .contains(
                        "get | day | {ip} | FIXED_WINDOW | 5 | 1 day | 10 | annotation",
                        "get | week | {ip} | FIXED_WINDOW | 5 | 1 week from 7 | 10 | annotation",
                        "get | paris | {ip} | FIXED_WINDOW | 5 | 1 day Europe/Paris | 15 | annotation",
                        "get | moved | {ip} | FIXED_WINDOW | 5 | 1 day {attribute:zone} | 15 | annotation",
                        "get | month | {ip} | FIXED_WINDOW | 5 | 1 month | 15 | annotation",
                        "get | soft | {ip} | FIXED_WINDOW | 5, soft | 1 month | not limited | annotation");
    }

    @Path("tiered")
    static class Tiered {
        @GET
        @RateLimited(
                key = "{ip}",
                algorithm = GCRA,
                limit = 5,
                window = "10s",
                tier = "{attribute:plan}",
                tiers = {@Tier(name = "gold", limit = 9, burst = 4), @Tier(name = "silver", limit = 7)})
        public void get() {}
    }

    @Test
    void theTableTellsTheBurstOfEachTier() {
        assertThat(PlanTable.of(Tiered.class.getName(), List.of(plan(Tiered.class, "get"))))
                .hasValueSatisfying(table ->
                        assertThat(table).contains("5 with burst 5, gold 9 with burst 4, silver 7 with burst 7"));
    }

    private static Policy policy(Class<?> resource, String method) {
        return plan(resource, method).limits().get(0).policy().version().policy();
    }

    @Path("wrong")
    static class Several {
        @GET
        @RateLimited(name = "a", key = "{path:shwo}", algorithm = GCRA, limit = 1, window = "1s")
        @RateLimited(name = "b", key = "{user}", algorithm = SLIDING_LOG, limit = 2_000_000, window = "1s")
        @RateLimited(name = "c", key = "{user}", algorithm = UNIFORM, limit = 1, window = "10", burst = 5)
        @RateLimited(name = "d", key = "{user}", algorithm = UNIFORM, limit = 1, window = "10s", burst = 5)
        @RateLimited(name = "e\"", key = "{user}", algorithm = GCRA, limit = 1, window = "10s")
        @Path("{show}")
        public void get() {}

        @GET
        @RateLimitExempt("apii")
        public void exempt() {}
    }

    @Test
    void everyProblemOfAClassIsToldAtOnce() {
        assertThatExceptionOfType(RateLimitDeploymentException.class)
                .isThrownBy(() -> plan(Several.class, "get"))
                .satisfies(
                        refused -> assertThat(refused.getMessage().lines())
                                .containsExactlyInAnyOrder(
                                        "@RateLimited.key on Several.get: no path parameter \"shwo\" in \"wrong/{show}\"; did you mean"
                                                + " \"show\"?",
                                        "@RateLimited.limit on Several.get: limit of a SLIDING_LOG must be at most 1000000, was 2000000",
                                        "@RateLimited.window on Several.get: \"10\" is not a duration; write an amount and a unit, such"
                                                + " as \"60s\" or \"1m\"",
                                        "@RateLimited.burst on Several.get: UNIFORM has no burst; leave it out, was 5",
                                        "@RateLimited.name on Several.get: name must be printable ASCII without quote or backslash, was"
                                                + " \"e\"\"",
                                        "@RateLimitExempt.value on Several.exempt: \"apii\" names no limit of the class or the application; there is none"));
    }

    @Path("root")
    static class InVain {
        @Path("locator")
        @RateLimited(key = "{user}", algorithm = GCRA, limit = 1, window = "1s")
        public Object locator() {
            return this;
        }

        @GET
        public void get() {}
    }

    @Test
    void aLimitThatWouldNeverBeAskedIsRefused() {
        assertThatExceptionOfType(RateLimitDeploymentException.class)
                .isThrownBy(() -> plan(InVain.class, "get"))
                .withMessage(
                        "@RateLimited on InVain.locator: the method answers no requests itself; annotate a resource method,"
                                + " or for a locator the class that it returns");
    }

    interface Contract {
        @GET
        @Path("{id}")
        void get();
    }

    @Path("contract")
    static class Implementation implements Contract {
        @Override
        @RateLimited(key = "{path:id}", algorithm = GCRA, limit = 1, window = "1s")
        public void get() {}
    }

    @Test
    void thePathOfAMethodMayStandOnTheInterface() {
        assertThat(plan(Implementation.class, "get").limits()).hasSize(1);
    }

    @RateLimited(name = "same", key = "{user}", algorithm = GCRA, limit = 1, window = "1s")
    static class Twice {
        @GET
        @RateLimited(name = "same", key = "{user}", algorithm = GCRA, limit = 1, window = "1s")
        public void get() {}
    }

    @Test
    void oneNameTwiceOnOneRequestIsRefused() {
        assertThatExceptionOfType(RateLimitDeploymentException.class)
                .isThrownBy(() -> plan(Twice.class, "get"))
                .withMessage(
                        "@RateLimited.name on Twice.get: \"same\" names two limits of one request; a name is one bucket,"
                                + " give each a name of its own");
    }

    @RateLimited(name = "same", key = "{ip}", algorithm = GCRA, limit = 1, window = "1s", stage = Stage.BEFORE_MATCHING)
    @RateLimited(
            name = "first",
            key = "{ip}",
            algorithm = LEAKY_BUCKET,
            limit = 1,
            window = "1s",
            maxWait = "1s",
            stage = Stage.BEFORE_MATCHING)
    static class Early extends Application {}

    static class Late {
        @GET
        @RateLimitExempt
        @RateLimited(name = "same", key = "{ip}", algorithm = GCRA, limit = 1, window = "1s")
        @RateLimited(name = "second", key = "{ip}", algorithm = LEAKY_BUCKET, limit = 1, window = "1s", maxWait = "1s")
        public void get() {}
    }

    /**
     * The later of two equal limits would never be asked. A request can have a single leaky
     * bucket, whatever the stages.
     */
    @Test
    void whatIsDecidedBeforeMatchingIsOfTheSameRequest() {
        PolicyRegistry policies = new PolicyRegistry(name -> Optional.empty(), Policy.DEFAULT_LEASE, () -> 0);
        List<String> problems = new ArrayList<>();
        new PlanReader(policies, Early.class).read(Late.class, method(Late.class, "get"), problems);
        assertThat(problems)
                .containsExactly(
                        "@RateLimited.algorithm on Late.get: a request can wait for one LEAKY_BUCKET only, and here are 2:"
                                + " first, second; keep one",
                        "@RateLimited.name on Late.get: \"same\" names two limits of one request; a name is one bucket,"
                                + " give each a name of its own");
    }

    @RateLimitExempt("api")
    static class ExemptOfNothing extends Application {}

    @RateLimitExempt
    static class OnPurpose extends Application {}

    /** A servlet does not have the limits of the application. */
    @Test
    void anExemptionFromALimitThatIsNotThereIsRefused() {
        String refusal = "@RateLimitExempt on ExemptOfNothing: there is no outer limit to exempt it from; remove it,"
                + " or, if it shall have no limit on purpose, write it without a name and without @RateLimited";
        PolicyRegistry policies = new PolicyRegistry(name -> Optional.empty(), Policy.DEFAULT_LEASE, () -> 0);
        assertThatExceptionOfType(RateLimitDeploymentException.class)
                .isThrownBy(() -> new PlanReader(policies, ExemptOfNothing.class))
                .withMessage(refusal);
        List<String> problems = new ArrayList<>();
        new PlanReader(policies, Object.class).read(ExemptOfNothing.class, problems);
        assertThat(problems).containsExactly(refusal);
    }

    @Test
    void anExemptionWithoutANameSaysThatThereIsNoLimitOnPurpose() {
        PolicyRegistry policies = new PolicyRegistry(name -> Optional.empty(), Policy.DEFAULT_LEASE, () -> 0);
        assertThatCode(() -> new PlanReader(policies, OnPurpose.class)).doesNotThrowAnyException();
        List<String> problems = new ArrayList<>();
        new PlanReader(policies, Object.class).read(OnPurpose.class, problems);
        assertThat(problems).isEmpty();
    }

    private static Plan plan(Class<?> resource, String method) {
        return plans().of(resource, method(resource, method));
    }

    private static Plans plans() {
        PolicyRegistry policies = new PolicyRegistry(name -> Optional.empty(), Policy.DEFAULT_LEASE, () -> 0);
        return new Plans(new PlanReader(policies, Application.class), NoEndpoints.known());
    }

    private static Method method(Class<?> resource, String name) {
        return Arrays.stream(resource.getDeclaredMethods())
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
