package dev.limiter.jaxrs.internal.policy;

import static dev.limiter.Algorithm.CONCURRENCY;
import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.LEAKY_BUCKET;
import static dev.limiter.OnStoreFailure.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import dev.limiter.RateLimited;
import dev.limiter.Tier;
import dev.limiter.jaxrs.LogLines;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.internal.declaration.PlanReader;
import dev.limiter.jaxrs.internal.form.FakeRequest;
import dev.limiter.jaxrs.internal.request.BoundLimit;
import dev.limiter.jaxrs.internal.signals.RequestSignals;
import dev.limiter.spi.InvalidSettingException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.core.Application;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Configuration of policies. A mistake is an error at deployment, and a warning while requests
 * run.
 */
class PolicyConfigurationTest {
    private static final Policy BUYER =
            Policy.of("buyer", GCRA, 5, Duration.ofSeconds(10)).withBurst(10).withVaryingLimit();

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
    private final MapSettings settings = new MapSettings();
    private final List<String> problems = new ArrayList<>();
    private final LogLines log = new LogLines("dev.limiter.plan");

    interface Resource {
        @GET
        @RateLimited(
                name = "buyer",
                key = "{user}",
                algorithm = GCRA,
                limit = 5,
                window = "10s",
                burst = 10,
                tier = "{attribute:plan}",
                tiers = {
                    @Tier(name = "gold", limit = 50, burst = 60),
                    @Tier(name = "staff", unlimited = true),
                })
        @RateLimited(name = "queue", key = "{ip}", algorithm = LEAKY_BUCKET, limit = 5, window = "1s", maxWait = "1s")
        @RateLimited(name = "flight", key = "{ip}", algorithm = CONCURRENCY, limit = 5)
        @RateLimited(name = "count", key = "{ip}", algorithm = FIXED_WINDOW, limit = 5, window = "10s")
        void buy();
    }

    @AfterEach
    void closeLog() {
        log.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "buyer.limit             | ten         | buyer.limit: must be a whole number, was \"ten\"",
                "buyer.limit             | ٥           | buyer.limit: must be a whole number, was \"٥\"",
                "buyer.limit             | 5.0         | buyer.limit: must be a whole number, was \"5.0\"",
                "buyer.limit             | -5          | buyer.limit: limit must be at least 1, was -5",
                "buyer.limit             | 0           | buyer.limit: limit must be at least 1, was 0",
                "buyer.limit             | 2147483648  | buyer.limit: limit must be below 2^31, was 2147483648",
                "buyer.window            | 10          | buyer.window: \"10\" is not a duration; write an amount and a unit, such"
                        + " as \"60s\" or \"1m\"",
                "buyer.window            | 400d        | buyer.window: window must be from 1 µs to 366 days, was 400d",
                "buyer.burst             | -1          | buyer.burst: burst must be from 1 to 2^31 - 1, or 0 for limit, was -1",
                "count.burst             | 7           | count.burst: FIXED_WINDOW has no burst; leave it out, was 7",
                "buyer.refill            | INTERVAL    | buyer.refill: refill is for TOKEN_BUCKET only; leave it out of GCRA",
                "buyer.refill            | DRIP        | buyer.refill: \"DRIP\" is not one of SMOOTH, INTERVAL",
                "buyer.borrow            | true        | buyer.borrow: borrow is for TOKEN_BUCKET only; leave it out of GCRA",
                "buyer.borrow            | yes         | buyer.borrow: must be true or false, was \"yes\"",
                "buyer.aligned           | true        | buyer.aligned: aligned is for FIXED_WINDOW and SLIDING_WINDOW only; leave"
                        + " it out of GCRA",
                "count.keep              | 1           | count.keep: keep must be 0, or 1 for a FIXED_WINDOW with a calendar"
                        + " period such as 1 month, was 1",
                "count.keep              | yes         | count.keep: must be a whole number, was \"yes\"",
                "buyer.max-wait          | 1s          | buyer.max-wait: maxWait is for LEAKY_BUCKET only; leave it out of GCRA",
                "queue.max-wait          | -1s         | queue.max-wait: \"-1s\" is not a duration; write an amount and a unit,"
                        + " such as \"60s\" or \"1m\"",
                "flight.window           | 10s         | flight.window: has no meaning for CONCURRENCY, whose limit is how many"
                        + " are in flight; leave it out",
                "buyer.enforcement       | 1           | buyer.enforcement: \"1\" is not one of ENFORCED, SOFT, SHADOW",
                "buyer.window            | 1 month     | buyer.window: a calendar period is for FIXED_WINDOW only; leave it out of GCRA",
                "buyer.enforcement       | soft        | buyer.enforcement: SOFT is for FIXED_WINDOW only; leave it out of GCRA",
                "buyer.enabled           | off         | buyer.enabled: must be true or false, was \"off\"",
                "buyer.publish           | never       | buyer.publish: must be true or false, was \"never\"",
                "buyer.on-store-failure  | PANIC       | buyer.on-store-failure: \"PANIC\" is not one of CONFIGURED, LOCAL, CLOSED,"
                        + " OPEN",
                "buyer.algorithm         | TAT         | buyer.algorithm: \"TAT\" is not one of FIXED_WINDOW, SLIDING_WINDOW,"
                        + " SLIDING_LOG, TOKEN_BUCKET, GCRA, UNIFORM, LEAKY_BUCKET, CONCURRENCY",
                "buyer.algorithm         | CONCURRENCY | buyer.algorithm: GCRA cannot become CONCURRENCY in configuration,"
                        + " since one of them holds requests or leases; change the annotation",
                "queue.algorithm         | GCRA        | queue.algorithm: LEAKY_BUCKET cannot become GCRA in configuration,"
                        + " since one of them holds requests or leases; change the annotation",
                "buyer.limt              | 6           | buyer.limt: no such member of a policy; did you mean \"limit\"?",
                "buyer.stage             | x           | buyer.stage: no such member of a policy; known: algorithm, limit, window,"
                        + " burst, refill, borrow, max-wait, aligned, keep, on-store-failure, enforcement, ban, enabled, publish",
                "buyer.ban               | 15m         | buyer.ban: \"15m\" is not a ban; write its span and the number of"
                        + " rejections, such as \"15m after 20\"",
                "buyer.ban               | 2h after 20 | buyer.ban: a ban must last from 1s to 1h, was \"2h after 20\"",
                "buyer.ban               | 15m after 2 | buyer.ban: a ban needs dev.limiter:limiter-operations:"
                        + " add it, or remove the ban",
                "buyer.tier.gold.limit   | many        | buyer.tier.gold.limit: must be a whole number, was \"many\"",
                "buyer.tier.gold.limit   | 0           | buyer.tier.gold.limit: must be at least 1, was 0",
                "buyer.tier.gold.limit   | 4294967296  | buyer.tier.gold.limit: limit must be below 2^31, was 4294967296",
                "buyer.tier.gold.burst   | 4294967296  | buyer.tier.gold.burst: burst must be from 1 to 2^31 - 1, or 0 for limit,"
                        + " was 4294967296",
                "buyer.tier.new.limit    | -1          | buyer.tier.new.limit: must be at least 1, was -1",
                "buyer.tier.gold.limt    | 6           | buyer.tier.gold.limt: no such member of a tier; did you mean \"limit\"?",
                "buyer.tier.gold.window  | 6s          | buyer.tier.gold.window: no such member of a tier; known: limit, burst,"
                        + " unlimited",
                "buyer.tier.glod.limit   | 6           | buyer.tier.glod.limit: the annotation has no tier \"glod\"; did you mean"
                        + " \"gold\"? A new tier with so similar a name must be declared in the annotation",
                "buyer.tier.gold         | 6           | buyer.tier.gold: no such member of a tier; known: limit, burst,"
                        + " unlimited",
            })
    void whatCannotBeFailsTheDeployment(String setting, String value, String message) {
        settings.with("limiter.policy." + setting, value);
        read(policies());
        assertThat(problems).containsExactly("limiter.policy." + message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "key='all'                              | carrier.key: declares a policy without algorithm, limit, window;"
                        + " set them, or remove the key if an annotation declares the policy",
                "key='all' algorithm=GCRA limit=5       | carrier.key: declares a policy without window; set them, or remove"
                        + " the key if an annotation declares the policy",
                "key='all' algorithm=CONCURRENCY        | carrier.key: declares a policy without limit; set them, or remove"
                        + " the key if an annotation declares the policy",
                "key=all algorithm=GCRA limit=5 window=10s | carrier.key: \"all\" has no placeholder; write \"{all}\" for a value"
                        + " of the request, or \"'all'\" for one partition that all share",
                "key='all' algorithm=GCRA limit=0 window=1s | carrier.limit: limit must be at least 1, was 0",
                "key='all' algorithm=LEAKY_BUCKET limit=1 window=1s | carrier.max-wait: maxWait is missing; write how long a"
                        + " LEAKY_BUCKET may hold a request, such as \"2s\"",
                "key='all' algorithm=GCRA limit=5 window=1s tier.gold.limit=6 | carrier.tier.gold.limit: no annotation says"
                        + " which tier a caller has; remove this, or write tier in the annotation",
            })
    void aPolicyThatConfigurationDeclaresMustBeWhole(String members, String message) {
        for (String member : members.split(" ")) {
            String[] assignment = member.split("=");
            settings.with("limiter.policy.carrier." + assignment[0], assignment[1]);
        }
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(this::policies)
                .withMessage("limiter.policy." + message);
    }

    @ParameterizedTest
    @CsvSource({"buyer, candidate", "count, gate", "buyer, rejections"})
    void theNameOfAStateBesideAPolicyIsTaken(String policy, String end) {
        String name = policy + "." + end;
        settings.with("limiter.policy." + name + ".key", "'all'")
                .with("limiter.policy." + name + ".algorithm", "GCRA")
                .with("limiter.policy." + name + ".limit", "5")
                .with("limiter.policy." + name + ".window", "10s");
        read(policies());
        assertThat(problems)
                .singleElement()
                .asString()
                .isEqualTo("@RateLimited.name on Resource.buy: \"" + name
                        + "\" is reserved for policy \"" + policy
                        + "\"; rename one of the two");
    }

    @Test
    void aCandidateHasNumbersOfItsOwnAndNothingElse() {
        settings.with("limiter.policy.buyer.candidate.limit", "3")
                .with("limiter.policy.buyer.candidate.tier.gold.limit", "30")
                .with("limiter.policy.buyer.candidate.on-store-failure", "CLOSED")
                .with("limiter.policy.buyer.candidate.algorithm", "FIXED_WINDOW")
                .with("limiter.policy.buyer.candidate.enforcement", "ENFORCE")
                .with("limiter.policy.buyer.candidate.enabled", "false")
                .with("limiter.policy.buyer.candidate.candidate.limit", "4");
        PolicyRegistry operated =
                new PolicyRegistry(settings, Duration.ofSeconds(30), nanos::get, () -> RequestSignals.NONE, true);
        PolicyVersion version = buyer(operated);
        Policy candidate = Policy.of("buyer.candidate", GCRA, 3, Duration.ofSeconds(10))
                .withBurst(10)
                .withVaryingLimit()
                .whenStoreFails(OPEN)
                .asShadow();
        assertThat(version.candidateFor(version.policy())).isEqualTo(candidate);
        assertThat(version.candidateFor(version.of("gold").policy()).limit()).isEqualTo(30);
        assertThat(version.candidate().candidate()).isNull();
    }

    @Test
    void aPolicyThatConfigurationDeclaresIsThereByItsName() {
        settings.with("limiter.policy.carrier.v2.key", "'all'")
                .with("limiter.policy.carrier.v2.algorithm", "token-bucket")
                .with("limiter.policy.carrier.v2.limit", "5")
                .with("limiter.policy.carrier.v2.window", "10s");
        assertThat(policies().named("carrier.v2").version().policy())
                .isEqualTo(Policy.of("carrier.v2", Algorithm.TOKEN_BUCKET, 5, Duration.ofSeconds(10)));
    }

    @Test
    void theKeyOfAnAnnotatedPolicyStandsInItsAnnotation() {
        settings.with("limiter.policy.buyer.key", "{ip}")
                .with("limiter.policy.buyer.algorithm", "GCRA")
                .with("limiter.policy.buyer.limit", "5")
                .with("limiter.policy.buyer.window", "10s");
        read(policies());
        assertThat(problems)
                .containsExactly(
                        "limiter.policy.buyer.key: Resource.buy declares this policy and its key; remove this");
    }

    @Test
    void tiersInConfigurationNeedWhatNamesTheCallers() {
        settings.with("limiter.policy.count.tier.gold.limit", "50");
        read(policies());
        assertThat(problems)
                .containsExactly(
                        "@RateLimited.tier on Resource.buy: is missing, but configuration has numbers of a tier; write"
                                + " where to find the caller's tier, such as"
                                + " \"{claim:plan}\"");
    }

    @Test
    void configurationChangesWhatItNamesAndNothingElse() {
        settings.with("limiter.policy.buyer.limit", " 7 ").with("limiter.policy.buyer.on-store-failure", "open");
        PolicyVersion version = buyer(policies());
        assertThat(version.policy())
                .isEqualTo(Policy.of("buyer", GCRA, 7, Duration.ofSeconds(10))
                        .withBurst(10)
                        .withVaryingLimit()
                        .whenStoreFails(OPEN));
        assertThat(version.configured()).containsExactly("limit=7", "on-store-failure=open");
    }

    /**
     * Bursts of tiers are written for the annotation's algorithm, and mean nothing for one that
     * has none.
     */
    @Test
    void aBucketWithTiersCanBecomeAWindow() {
        settings.with("limiter.policy.buyer.algorithm", "FIXED_WINDOW");
        PolicyVersion version = buyer(policies());
        assertThat(version.policy()).isEqualTo(Policy.of("buyer", FIXED_WINDOW, 5, Duration.ofSeconds(10)));
        assertThat(version.of("gold").policy().limit()).isEqualTo(50);
    }

    @Test
    void tiersFromConfigurationOverrideThoseDeclaredAndAddToThem() {
        settings.with("limiter.policy.buyer.tier.gold.limit", "70")
                .with("limiter.policy.buyer.tier.staff.limit", "1000")
                .with("limiter.policy.buyer.tier.silver.unlimited", "true");
        PolicyVersion version = buyer(policies());
        assertThat(version.of("gold").policy().limit()).isEqualTo(70);
        assertThat(version.of("gold").policy().burst()).isEqualTo(60);
        assertThat(version.of("staff").policy().limit()).isEqualTo(1000);
        assertThat(version.of("silver")).isNull();
        assertThat(version.of("unheard-of").policy()).isEqualTo(BUYER);
        assertThat(version.of(null).policy()).isEqualTo(BUYER);
    }

    @Test
    void aCandidateIsOfTheTierOfACallerInItsOwnPeriodToo() {
        settings.with("limiter.policy.buyer.algorithm", "FIXED_WINDOW").with("limiter.policy.buyer.window", "1 month");
        PolicyVersion inForce = buyer(policies());
        settings.with("limiter.policy.buyer.limit", "3").with("limiter.policy.buyer.tier.gold.limit", "30");
        PolicyVersion version = inForce.with(buyer(policies()));
        Policy gold = version.of("gold").policy();
        Policy inTokyo = gold.in(gold.period().withZone("Asia/Tokyo"));
        assertThat(version.candidateFor(version.policy()).limit()).isEqualTo(3);
        assertThat(version.candidateFor(gold).limit()).isEqualTo(30);
        assertThat(version.candidateFor(inTokyo).limit()).isEqualTo(30);
        assertThat(version.candidateFor(inTokyo).period()).isEqualTo(inTokyo.period());
    }

    @Test
    void aCandidateKeepsAPeriodOfItsOwn() {
        settings.with("limiter.policy.buyer.algorithm", "FIXED_WINDOW").with("limiter.policy.buyer.window", "1 month");
        PolicyVersion inForce = buyer(policies());
        settings.with("limiter.policy.buyer.window", "1 week");
        PolicyVersion week = buyer(policies());
        PolicyVersion version = inForce.with(week);
        Policy policy = version.policy();
        assertThat(version.candidateFor(policy).period())
                .isEqualTo(week.policy().period());
        assertThat(version.candidateFor(policy.in(policy.period().withZone("Asia/Tokyo")))
                        .period())
                .isEqualTo(week.policy().period());
    }

    @Test
    void aCallerWithNumbersOfItsOwnHasNoCandidate() {
        PolicyVersion inForce = buyer(policies());
        settings.with("limiter.policy.buyer.limit", "3");
        PolicyVersion version = inForce.with(buyer(policies()));
        assertThat(version.candidateFor(version.policy()).limit()).isEqualTo(3);
        assertThat(version.candidateFor(Policy.of("buyer", GCRA, 9, Duration.ofSeconds(10))))
                .isNull();
    }

    @Test
    void aChangeIsInForceWithTheFirstRequestAfterTwoSecondsAndLogged() {
        PolicyRegistry policies = policies();
        Limit limit = read(policies).limits().get(0);
        log.taken();
        settings.with("limiter.policy.buyer.limit", "50").with("limiter.policy.buyer.tier.silver.limit", "20");
        after(policies, Duration.ofSeconds(2).minusNanos(1));
        assertThat(limit.policy().version().policy()).isEqualTo(BUYER);
        after(policies, Duration.ofNanos(1));
        assertThat(limit.policy().version().policy().limit()).isEqualTo(50);
        assertThat(BoundLimit.of(limit, new FakeRequest().with("attribute:plan", "silver"))
                        .policy()
                        .limit())
                .isEqualTo(20);
        assertThat(log.taken())
                .containsExactly(
                        "INFO The configuration of policy \"buyer\" is now [limit=50, tier.silver.limit=20], was []:"
                                + " GCRA 50 per 10s with burst 10");
        settings.without("limiter.policy.buyer.limit").without("limiter.policy.buyer.tier.silver.limit");
        after(policies, Duration.ofSeconds(2));
        assertThat(limit.policy().version().policy()).isEqualTo(BUYER);
        assertThat(BoundLimit.of(limit, new FakeRequest().with("attribute:plan", "silver"))
                        .policy())
                .isEqualTo(BUYER);
    }

    @Test
    void whatCannotBeReadWhileRunningChangesNothingAndIsSaidOnce() {
        PolicyRegistry policies = policies();
        Limit limit = read(policies).limits().get(0);
        settings.with("limiter.policy.buyer.limit", "50");
        after(policies, Duration.ofSeconds(2));
        log.taken();
        settings.with("limiter.policy.buyer.limit", "fifty-one");
        for (int i = 0; i < 3; i++) {
            after(policies, Duration.ofSeconds(2));
            assertThat(limit.policy().version().policy().limit()).isEqualTo(50);
        }
        assertThat(log.taken())
                .containsExactly(
                        "WARNING limiter.policy.buyer.limit: must be a whole number, was \"fifty-one\"; the old"
                                + " settings stay");
    }

    /** A mistake that is made again is logged again. */
    @Test
    void whatWasMendedAndComesBackIsSaidAgain() {
        PolicyRegistry policies = policies();
        read(policies);
        for (String value : List.of("fifty-one", "51", "fifty-one", "fifty-two")) {
            log.taken();
            settings.with("limiter.policy.buyer.limit", value);
            after(policies, Duration.ofSeconds(2));
            after(policies, Duration.ofSeconds(2));
            assertThat(log.taken())
                    .as(value)
                    .containsExactly(
                            value.equals("51")
                                    ? "INFO The configuration of policy \"buyer\" is now [limit=51], was []: GCRA 51 per 10s with"
                                            + " burst 10"
                                    : "WARNING limiter.policy.buyer.limit: must be a whole number, was \"" + value
                                            + "\"; the old settings stay");
        }
    }

    /**
     * The next reading is due 2 s after the last one, however late that was: no reading is
     * missed, and none is made up for.
     */
    @Test
    void readingsNeitherDriftNorPileUp() {
        AtomicInteger readings = new AtomicInteger();
        PolicyRegistry policies = new PolicyRegistry(
                name -> {
                    if (name.equals("limiter.enabled")) {
                        readings.incrementAndGet();
                    }
                    return settings.value(name);
                },
                Policy.DEFAULT_LEASE,
                nanos::get);
        readings.set(0);
        List<Integer> after = new ArrayList<>();
        for (int step = 0; step < 12; step++) {
            after(policies, Duration.ofMillis(500));
            after.add(readings.get());
        }
        assertThat(after).as("each half second").containsExactly(0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3);
        after(policies, Duration.ofHours(9));
        assertThat(readings.getAndSet(0)).as("once, after a night").isEqualTo(4);
        for (int request = 0; request < 3; request++) {
            after(policies, Duration.ofMillis(600));
        }
        assertThat(readings).hasValue(0);
        after(policies, Duration.ofMillis(200));
        assertThat(readings).hasValue(1);
        for (int request = 0; request < 1_000; request++) {
            after(policies, Duration.ZERO);
        }
        assertThat(readings).hasValue(1);
    }

    /**
     * A source of the service's own may be a database that is down: no request may fail for it.
     */
    @Test
    void aConfigurationThatFailsWhileRunningChangesNothing() {
        AtomicBoolean fails = new AtomicBoolean();
        PolicyRegistry policies = new PolicyRegistry(
                name -> {
                    if (fails.get()) {
                        // The message differs each time, as that of a driver that numbers its
                        // attempts.
                        throw new IllegalStateException(
                                "no configuration at " + nanos.get() + '\n' + System.nanoTime());
                    }
                    return settings.value(name);
                },
                Policy.DEFAULT_LEASE,
                nanos::get);
        Limit limit = read(policies).limits().get(0);
        log.taken();
        fails.set(true);
        for (int reading = 0; reading < 30; reading++) {
            after(policies, Duration.ofSeconds(2));
        }
        assertThat(policies.enabled()).isTrue();
        assertThat(limit.policy().version().policy()).isEqualTo(BUYER);
        assertThat(log.taken())
                .as("in a minute")
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .matches("WARNING java.lang.IllegalStateException: no configuration at -?\\d+ -?\\d+;"
                                + " the old settings stay"));
        after(policies, Duration.ofSeconds(2));
        assertThat(log.taken()).as("in the next minute").hasSize(1);
        fails.set(false);
        settings.with("limiter.policy.buyer.limit", "50");
        after(policies, Duration.ofSeconds(2));
        assertThat(limit.policy().version().policy().limit()).isEqualTo(50);
    }

    @Test
    void theKillSwitchIsLive() {
        PolicyRegistry policies = policies();
        assertThat(policies.enabled()).isTrue();
        settings.with("limiter.enabled", "false");
        after(policies, Duration.ofSeconds(2));
        assertThat(policies.enabled()).isFalse();
        settings.with("limiter.enabled", "perhaps");
        after(policies, Duration.ofSeconds(2));
        assertThat(policies.enabled()).isFalse();
        settings.without("limiter.enabled");
        after(policies, Duration.ofSeconds(2));
        assertThat(policies.enabled()).isTrue();
        assertThat(log.taken())
                .containsExactly(
                        "WARNING limiter.enabled is now false",
                        "WARNING limiter.enabled: must be true or false, was \"perhaps\"; the old settings stay",
                        "WARNING limiter.enabled is now true");
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() ->
                        new PolicyRegistry(settings.with("limiter.enabled", "no"), Policy.DEFAULT_LEASE, nanos::get));
    }

    @Test
    void oneLimitCanBeSwitchedOff() {
        PolicyRegistry policies = policies();
        Limit limit = read(policies).limits().get(0);
        settings.with("limiter.policy.buyer.enabled", "false");
        after(policies, Duration.ofSeconds(2));
        assertThat(BoundLimit.of(limit, new FakeRequest())).isNull();
    }

    /**
     * A configuration that several services share must not stop one of them: said once, with the
     * nearest name.
     */
    @Test
    void aSettingOfNoPolicyOfThisApplicationIsWarnedOf() {
        settings.with("limiter.policy.buyr.limit", "50")
                .with("limiter.policy.unheard.of.tier.gold.limit", "50")
                .with("limiter.policy.buyer.v2.limit", "50")
                .with("limiter.policy.buyer.limit", "6");
        PolicyRegistry policies = policies();
        read(policies);
        nanos.addAndGet(2_000_000_000L);
        policies.namedNow("buyer");
        assertThat(log.taken()).as("of a job, before a request").noneMatch(line -> line.contains("LIM05"));
        policies.readAgainWhenDue();
        policies.readAgainWhenDue();
        String known = "; known: buyer, count, flight, queue";
        String none = ": no policy of this application has that name";
        assertThat(log.taken())
                .containsExactly(
                        "WARNING LIM05 limiter.policy.buyer.v2.limit" + none + known
                                + "; limiter.policy.buyer.v2.key would declare it here",
                        "WARNING LIM05 limiter.policy.buyr.limit" + none + "; did you mean \"buyer\"?",
                        "WARNING LIM05 limiter.policy.unheard.of.tier.gold.limit" + none + known
                                + "; limiter.policy.unheard.of.key would declare it here");
        assertThat(problems).isEmpty();
    }

    /**
     * At the start it fails the deployment; now it is a line in the log, once as long as it
     * stands there.
     */
    @Test
    void anUnknownSettingWhileRunningIsLogged() {
        PolicyRegistry policies = policies();
        read(policies);
        after(policies, Duration.ofSeconds(2));
        log.taken();
        settings.with("limiter.policy.buyer.bursst", "50").with("limiter.enabld", "false");
        settings.with("limiter.policy.buyer.tier.glod.limit", "9").with("limiter.policy.buyer.limit", "6");
        for (int reading = 0; reading < 3; reading++) {
            after(policies, Duration.ofSeconds(2));
        }
        assertThat(log.taken())
                .contains(
                        "WARNING LIM05 limiter.enabld: no such setting; the nearest is \"limiter.enabled\"",
                        "WARNING LIM05 limiter.policy.buyer.bursst: no such member of a policy; did you mean \"burst\"?",
                        "WARNING LIM05 limiter.policy.buyer.tier.glod.limit: the annotation has no tier \"glod\"; did you mean"
                                + " \"gold\"? A new tier with so similar a name must be declared in the annotation")
                .hasSize(4);
        settings.without("limiter.policy.buyer.bursst");
        after(policies, Duration.ofSeconds(2));
        settings.with("limiter.policy.buyer.bursst", "50");
        after(policies, Duration.ofSeconds(2));
        assertThat(log.taken()).as("it is there again").hasSize(1);
    }

    /** Another service may have a newer version of the limiter. */
    @Test
    void whereServicesShareAConfigurationAnUnknownMemberIsAWarning() {
        settings.with("limiter.configuration.shared", "true")
                .with("limiter.policy.buyer.bursst", "50")
                .with("limiter.policy.buyer.tier.glod.limit", "9");
        PolicyRegistry policies = policies();
        read(policies);
        assertThat(problems).isEmpty();
        policies.readAgainWhenDue();
        policies.readAgainWhenDue();
        assertThat(log.taken()).hasSize(2).allMatch(line -> line.startsWith("WARNING LIM05 limiter.policy.buyer."));
    }

    private PolicyRegistry policies() {
        return new PolicyRegistry(settings, Policy.DEFAULT_LEASE, nanos::get);
    }

    private Plan read(PolicyRegistry policies) {
        return new PlanReader(policies, Application.class)
                .read(Resource.class, Resource.class.getDeclaredMethods()[0], problems);
    }

    private PolicyVersion buyer(PolicyRegistry policies) {
        Plan plan = read(policies);
        assertThat(problems).isEmpty();
        return plan.limits().get(0).policy().version();
    }

    private void after(PolicyRegistry policies, Duration span) {
        nanos.addAndGet(TimeUnit.NANOSECONDS.convert(span));
        policies.readAgainWhenDue();
    }
}
