package dev.limiter.outbound;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Enforcement;
import dev.limiter.OnStoreFailure;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimitExceededException;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.jaxrs.FailingStore;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.internal.policy.EffectivePolicy;
import dev.limiter.jaxrs.internal.response.Draft11Headers;
import dev.limiter.jaxrs.internal.response.PublishedResult;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.local.internal.fallback.FallbackRateLimiter;
import dev.limiter.outbound.internal.GatedAcquire;
import dev.limiter.outbound.internal.PendingClosings;
import dev.limiter.spi.Ask;
import dev.limiter.spi.Signals;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.client.ClientRequestFilter;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.rest.client.RestClientBuilder;
import org.eclipse.microprofile.rest.client.annotation.RegisterProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Calls over HTTP by RESTEasy's clients, of Jakarta REST and of MicroProfile. Time moves only
 * while a call waits.
 */
class RateLimitClientFeatureTest {
    private static final Policy CARRIER = Policy.of("carrier", SLIDING_LOG, 5, Duration.ofSeconds(10));
    private static final PartitionKey ALL = PartitionKey.of("literal", "all");
    private static LocalRateLimiter limiter;
    private static long nowMicros;

    private Partner partner;
    private Client client;

    @BeforeEach
    void start() throws Exception {
        nowMicros = 1_700_000_000_000_000L;
        limiter = new LocalRateLimiter(
                () -> Instant.ofEpochSecond(nowMicros / 1_000_000, nowMicros % 1_000_000 * 1_000),
                span -> nowMicros += span.toNanos() / 1_000);
        partner = new Partner();
        client = ClientBuilder.newClient();
    }

    @AfterEach
    void stop() {
        client.close();
        partner.close();
    }

    private static RateLimitClientFeature feature() {
        return RateLimitClientFeature.given(new MapSettings(), CARRIER).using(limiter);
    }

    private int call() {
        return client.target(partner.uri()).request().get().getStatus();
    }

    private RateLimitExceededException refused() {
        Throwable failure = catchThrowable(this::call);
        Optional<RateLimitExceededException> rejection = RateLimitClientFeature.rejectionIn(failure);
        assertThat(rejection).as("%s", failure).isPresent();
        return rejection.get();
    }

    @Test
    void theSixthCallIsRejectedHereAndNeverMade() {
        client.register(feature());
        for (int i = 0; i < 5; i++) {
            assertThat(call()).isEqualTo(204);
        }
        assertThat(refused().rejection().retryAfter()).isEqualTo(Duration.ofMillis(10_050));
        assertThat(partner.calls()).isEqualTo(5);
    }

    @Test
    void whatTheFeatureIsGivenFirstStaysWhateverIsGivenNext() {
        RateLimitClientFeature held = feature().holdingAtMost(Duration.ofSeconds(11));
        client.register(held.using(limiter).keyedBy(call -> PartitionKey.of("literal", "one")));
        for (int i = 0; i < 6; i++) {
            assertThat(call()).isEqualTo(204); // the sixth is held
        }
        Policy stretched = CARRIER.withDelayVariation(Duration.ofMillis(50));
        assertThat(limiter.peek(stretched, PartitionKey.of("literal", "one")).remaining())
                .isLessThan(5);
        assertThat(catchThrowable(() -> held.holdingAtMost(Duration.ofMillis(-1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("was PT-0.001S");
    }

    @Test
    void aCallIsHeldUntilThereIsRoom() {
        client.register(feature().holdingAtMost(Duration.ofSeconds(11)));
        long began = nowMicros;
        for (int i = 0; i < 6; i++) {
            assertThat(call()).isEqualTo(204);
        }
        assertThat(nowMicros - began).isEqualTo(10_050_000);
    }

    @Test
    void aLeakyBucketHoldsForItsSlot() {
        Policy spaced = Policy.leakyBucket("carrier", 10, Duration.ofSeconds(1), Duration.ofSeconds(1));
        client.register(
                RateLimitClientFeature.given(new MapSettings().with("limiter.outbound.delay-variation", "0s"), spaced)
                        .using(limiter));
        long began = nowMicros;
        for (int i = 0; i < 4; i++) {
            call();
        }
        assertThat(nowMicros - began).isEqualTo(300_000);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "429 | Retry-After | 3                              | 3",
                "503 | Retry-After | 7                              | 7",
                "429 | Retry-After | 99999999999999999999           | 3600",
                "429 | Retry-After | 0                              | 0",
                "429 | Retry-After | -5                             | 0",
                "429 | Retry-After | soon                           | 0",
                "204 | Retry-After | 3                              | 0",
                "500 | Retry-After | 3                              | 0",
                "429 | X-Nothing   | 1                              | 0",
                "204 | RateLimit   | \"p\";r=0;t=4                  | 4",
                "429 | RateLimit   | \"p\";r=0;t=4, \"q\";r=0;t=9   | 9",
                "204 | RateLimit   | \"p\";r=1;t=4                  | 0",
                "204 | RateLimit   | limit=9, remaining=0, reset=4  | 0"
            })
    void aRejectingPartnerClosesTheGate(int status, String field, String value, long seconds) {
        client.register(feature());
        partner.answers(status, Map.of(field, value));
        assertThat(call()).isEqualTo(status);
        Policy gate = CARRIER.withDelayVariation(Duration.ofMillis(50)).gate();
        assertThat(limiter.peek(gate, ALL).retryAfterMicros()).isEqualTo(seconds * 1_000_000);
        if (seconds > 0) {
            assertThat(refused().rejection().failing().get(0).policy()).isEqualTo(gate);
            assertThat(partner.calls()).isOne();
        } else {
            assertThat(call()).isEqualTo(status);
        }
    }

    /** The partner writes the headers of this library, 12 days before its customer's month ends. */
    @ParameterizedTest
    @CsvSource({"SOFT, 3", "ENFORCED, 1"})
    void aPartnerWhosePlanIsExceededIsCalledIfItsPlanIsSoft(Enforcement enforcement, int calls) {
        client.register(feature());
        Policy plan = Policy.of("included", FIXED_WINDOW, 100, Duration.ofDays(30));
        Policy included = enforcement == Enforcement.SOFT ? plan.asSoft() : plan;
        long ends = Duration.ofDays(12).toNanos() / 1_000;
        CheckResult full = new CheckResult(included, true, 0, 0, ends, ends);
        Map<String, String> fields = new HashMap<>();
        new Draft11Headers().write(List.of(new PublishedResult(EffectivePolicy.of(included, true), full)), fields::put);
        partner.answers(200, fields);
        for (int i = 0; i < 3; i++) {
            catchThrowable(this::call);
        }
        assertThat(partner.calls()).isEqualTo(calls);
    }

    @Test
    void aDateIsCountedFromTheDateOfTheResponse() {
        client.register(feature());
        Instant until = Instant.now().plusSeconds(42);
        partner.answers(
                429,
                Map.of("Retry-After", DateTimeFormatter.RFC_1123_DATE_TIME.format(until.atOffset(ZoneOffset.UTC))));
        call();
        assertThat(refused().rejection().retryAfter()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(43));
    }

    @Test
    void retryAfterGoesBeforeTheFieldsOfTheDraft() {
        client.register(feature());
        partner.answers(429, Map.of("Retry-After", "2", "RateLimit", "\"p\";r=0;t=30"));
        call();
        assertThat(refused().rejection().retryAfter()).isEqualTo(Duration.ofSeconds(2));
    }

    /** Each account at the partner has its own limit, and its own gate. */
    @Test
    void aClosedGateIsThatOfThePartitionOfTheCall() {
        client.register(feature().keyedBy(call -> PartitionKey.of("account", call.getHeaderString("Account"))));
        partner.answers(429, Map.of("Retry-After", "5"));
        client.target(partner.uri()).request().header("Account", "zoo").get().close();
        client.target(partner.uri()).request().header("Account", "circus").get().close();
        assertThat(partner.calls()).isEqualTo(2);
        assertThat(RateLimitClientFeature.rejectionIn(catchThrowable(() -> client.target(partner.uri())
                        .request()
                        .header("Account", "zoo")
                        .get())))
                .isPresent();
        assertThat(catchThrowable(() -> client.target(partner.uri()).request().get()))
                .as("no account")
                .hasStackTraceContaining("NullPointerException");
    }

    /**
     * The call was admitted for a later slot, and the partner rejects another call before that.
     */
    @Test
    void aCallHeldForASlotDoesNotStartWhileTheGateIsClosed() {
        Policy spaced = Policy.leakyBucket("carrier", 1, Duration.ofSeconds(1), Duration.ofSeconds(10))
                .withDelayVariation(Duration.ofMillis(50));
        LocalRateLimiter[] own = new LocalRateLimiter[1];
        boolean[] told = {false};
        own[0] = new LocalRateLimiter(
                () -> Instant.ofEpochSecond(nowMicros / 1_000_000, nowMicros % 1_000_000 * 1_000), span -> {
                    nowMicros += span.toNanos() / 1_000;
                    if (!told[0]) {
                        told[0] = true;
                        own[0].closeGate(spaced, ALL, Duration.ofSeconds(4));
                    }
                });
        client.register(RateLimitClientFeature.given(
                        new MapSettings(),
                        Policy.leakyBucket("carrier", 1, Duration.ofSeconds(1), Duration.ofSeconds(10)))
                .using(own[0]));
        call();
        long began = nowMicros;
        call();
        assertThat(nowMicros - began).isEqualTo(1_050_000 + 4_000_000);
    }

    /**
     * The instance makes no call before the store knows the closing. When the store is back, the
     * instance tells it the rest.
     */
    @Test
    void aClosingThatTheStoreDidNotHearIsToldBeforeTheNextCall() {
        FailingStore store = new FailingStore(limiter);
        client.register(RateLimitClientFeature.given(new MapSettings(), CARRIER).using(store));
        ClientRequestFilter failsOnTheWay = call -> store.fails = true;
        client.register(failsOnTheWay, Integer.MAX_VALUE);
        partner.answers(429, Map.of("Retry-After", "3000"));
        assertThat(call()).isEqualTo(429);
        assertThat(catchThrowable(this::call)).hasRootCauseInstanceOf(StoreUnavailableException.class);
        store.fails = false;
        assertThat(limiter.peek(CARRIER.gate(), ALL).admitted()).as("not told").isTrue();
        assertThat(refused().rejection().retryAfter()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(3_000));
        assertThat(partner.calls()).isOne();
    }

    /**
     * One policy is CLOSED, and throws. The other is recorded in the mirror of this instance.
     */
    @Test
    void aGateThatCannotBeClosedKeepsNoOtherOpen() {
        FailingStore store = new FailingStore(limiter);
        Policy strict = CARRIER.whenStoreFails(OnStoreFailure.CLOSED);
        Policy daily = Policy.of("daily", SLIDING_LOG, 500, Duration.ofDays(1));
        try (FallbackRateLimiter both = new FallbackRateLimiter(store, OnStoreFailure.LOCAL, 1, Signals.NONE)) {
            client.register(RateLimitClientFeature.given(new MapSettings(), strict, daily)
                    .using(both));
            ClientRequestFilter failsOnTheWay = call -> store.fails = true;
            client.register(failsOnTheWay, Integer.MAX_VALUE);
            partner.answers(429, Map.of("Retry-After", "3000"));
            assertThat(call()).isEqualTo(429);
            assertThat(both.peek(daily.gate(), ALL).admitted()).isFalse();
        }
    }

    /** The call waited, and only this instance knows of the partner's rejection meanwhile. */
    @Test
    void aCallThatWaitedDoesNotStartBeforeTheStoreIsTold() {
        long[] nanos = {0};
        PendingClosings untold = new PendingClosings(() -> nanos[0]);
        Check check = Check.of(CARRIER, ALL);
        LocalRateLimiter own = new LocalRateLimiter(
                () -> Instant.ofEpochSecond(nowMicros / 1_000_000, nowMicros % 1_000_000 * 1_000), span -> {
                    nowMicros += span.toNanos() / 1_000;
                    nanos[0] += span.toNanos();
                    if (nanos[0] == 10_000_000_000L) {
                        untold.add(check, Duration.ofSeconds(20));
                        untold.add(check, Duration.ofSeconds(5));
                    }
                });
        own.charge(CARRIER, ALL, 5);
        Throwable failure = catchThrowable(
                () -> GatedAcquire.await(own, CheckGroup.of(check), Duration.ofSeconds(10), Duration.ZERO, untold));
        assertThat(((RateLimitExceededException) failure).rejection().retryAfter())
                .isEqualTo(Duration.ofSeconds(20));
        assertThat(own.peek(CARRIER, ALL).remaining()).as("given back").isEqualTo(5);
        assertThat(untold.concern(CheckGroup.of(check))).isFalse();
    }

    /**
     * The store admits, fails while it is told of a closing, and is back. No call was made, so
     * no unit is spent.
     */
    @Test
    void aCallThatCannotBeStartedGivesBackWhatItWasAdmitted() {
        PendingClosings untold = new PendingClosings(() -> 0);
        Check check = Check.of(CARRIER, ALL);
        RateLimiter store = new FailingStore(limiter) {
            @Override
            public <A> A answer(Ask<A> ask) {
                if (ask instanceof Ask.Charge) {
                    throw new StoreUnavailableException("the store is down", null);
                }
                A answer = limiter.answer(ask);
                if (ask instanceof Ask.Acquire) {
                    untold.add(check, Duration.ofSeconds(20)); // from the response of another thread's call
                }
                return answer;
            }
        };
        assertThat(catchThrowable(
                        () -> GatedAcquire.await(store, CheckGroup.of(check), Duration.ZERO, Duration.ZERO, untold)))
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(limiter.peek(CARRIER, ALL).remaining()).as("given back").isEqualTo(5);
    }

    @Test
    void anInterruptedHeldCallIsNotMadeAndItsThreadStaysInterrupted() {
        client.register(feature().holdingAtMost(Duration.ofSeconds(30)).using(sleepless()));
        try {
            Throwable failure = catchThrowable(() -> {
                for (int i = 0; i < 6; i++) {
                    call();
                }
            });
            assertThat(failure).hasRootCauseInstanceOf(InterruptedException.class);
            assertThat(failure).hasStackTraceContaining("InterruptedIOException");
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
        assertThat(partner.calls()).isEqualTo(5);
    }

    /** A limiter whose waits are interrupted. */
    private static LocalRateLimiter sleepless() {
        return new LocalRateLimiter(() -> Instant.ofEpochSecond(nowMicros / 1_000_000), span -> {
            throw new InterruptedException();
        });
    }

    /** The service answers as for any request that meets a CLOSED limit without its store. */
    @Test
    void aStoreThatIsAwayKeepsTheCallFromBeingMadeAndItsAddressToItself() {
        FailingStore store = new FailingStore(limiter);
        store.fails = true;
        client.register(RateLimitClientFeature.given(new MapSettings(), CARRIER).using(store));
        Throwable failure = catchThrowable(this::call);
        assertThat(RateLimitClientFeature.notAdmittedIn(failure))
                .get()
                .isInstanceOf(StoreUnavailableException.class)
                .satisfies(each -> assertThat(each).hasMessageStartingWith("the call was not made"));
        assertThat(RateLimitClientFeature.rejectionIn(failure)).isEmpty();
        assertThat(failure.toString() + failure.getCause()).doesNotContain("the store is down");
        assertThat(failure).hasRootCauseInstanceOf(StoreUnavailableException.class);
        assertThat(partner.calls()).isZero();
    }

    @Test
    void aFullPartitionIsFoundAsARefusalToo() {
        client.register(feature());
        limiter.charge(CARRIER.withDelayVariation(Duration.ofMillis(50)), ALL, 5);
        assertThat(RateLimitClientFeature.notAdmittedIn(catchThrowable(this::call)))
                .get()
                .isInstanceOf(RateLimitExceededException.class);
        assertThat(RateLimitClientFeature.notAdmittedIn(new IllegalStateException(new RuntimeException())))
                .isEmpty();
    }

    @Test
    void untoldClosingsAreBounded() {
        long[] nanos = {Long.MAX_VALUE - 5};
        PendingClosings untold = new PendingClosings(() -> nanos[0]);
        for (int i = 0; i < 1_000; i++) {
            untold.add(Check.of(CARRIER, PartitionKey.of("account", "a" + i)), Duration.ofSeconds(1));
        }
        Check next = Check.of(CARRIER, ALL);
        untold.add(next, Duration.ofSeconds(1));
        assertThat(untold.concern(CheckGroup.of(next))).isFalse();
        nanos[0] += 1_000_000_000L;
        untold.add(next, Duration.ofDays(400_000_000));
        assertThat(untold.concern(CheckGroup.of(next))).isTrue();
        untold.tell(limiter, CheckGroup.of(next));
        assertThat(limiter.peek(CARRIER.gate(), ALL).retryAfterMicros()).isEqualTo(3_600_000_000L);
    }

    @Test
    void whatIsSwitchedOffIsNotAsked() {
        client.register(RateLimitClientFeature.given(new MapSettings().with("limiter.enabled", "false"), CARRIER)
                .using(limiter));
        for (int i = 0; i < 7; i++) {
            assertThat(call()).isEqualTo(204);
        }
    }

    /** A MicroProfile REST client. */
    public interface Parcels {
        @GET
        void send();
    }

    /** The same, with the limit where it is declared. */
    @RegisterProvider(CarriersLimit.class)
    public interface LimitedParcels {
        @GET
        void send();
    }

    /** A feature as a class, for places where only a class can be named. */
    public static final class CarriersLimit implements Feature {
        @Override
        public boolean configure(FeatureContext context) {
            return feature().configure(context);
        }
    }

    @Test
    void aMicroProfileClientIsLimitedByAnInstance() {
        Parcels parcels = RestClientBuilder.newBuilder()
                .baseUri(partner.uri())
                .register(feature())
                .build(Parcels.class);
        requireFive(parcels::send);
    }

    @Test
    void aMicroProfileClientIsLimitedByAnAnnotation() {
        LimitedParcels parcels =
                RestClientBuilder.newBuilder().baseUri(partner.uri()).build(LimitedParcels.class);
        requireFive(parcels::send);
    }

    private void requireFive(Runnable send) {
        for (int i = 0; i < 5; i++) {
            send.run();
        }
        assertThat(RateLimitClientFeature.rejectionIn(catchThrowable(send::run)))
                .isPresent();
        assertThat(partner.calls()).isEqualTo(5);
        nowMicros += 10_050_000;
        partner.answers(429, Map.of("Retry-After", "30"));
        assertThat(RateLimitClientFeature.rejectionIn(catchThrowable(send::run)))
                .as("the partner's own answer")
                .isEmpty();
        nowMicros += 29_999_999;
        assertThat(RateLimitClientFeature.rejectionIn(catchThrowable(send::run)))
                .isPresent();
        assertThat(partner.calls()).isEqualTo(6);
    }
}
