package dev.limiter.jaxrs.internal.signals;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.jaxrs.LogLines;
import dev.limiter.local.LocalRateLimiter;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Log lines and their frequency, on a clock that the test moves. */
class SignalLogsTest {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice\r\nforged line");
    private static final Policy OPEN = Policy.of("open", Algorithm.SLIDING_LOG, 100, Duration.ofHours(1));
    private static final Policy TIGHT = Policy.of("tight {0}", Algorithm.SLIDING_LOG, 1, Duration.ofHours(1));
    private static final CheckGroup ASKED = CheckGroup.of(Check.of(OPEN, ALICE), Check.of(TIGHT, ALICE));

    private final AtomicLong nanos = new AtomicLong(-5);
    private final LogLines decisions = new LogLines("dev.limiter.decision");
    private final LogLines store = new LogLines("dev.limiter.store");
    private final AtomicInteger names = new AtomicInteger();
    private final RejectionLog rejections = new RejectionLog(nanos::get);

    @AfterEach
    void close() {
        decisions.close();
        store.close();
    }

    @Test
    void rejectionsAreSummedUpAMinuteLong() {
        for (int i = 0; i < 100; i++) {
            reject("rl:zoo:Zm9v:{aB3_-678deadbeef}");
        }
        assertThat(decisions.taken())
                .containsExactly(
                        "INFO 1 rejected since the last such line; the last one by \"tight {0}\", key aB3_-678...");
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(59));
        reject("rl:zoo:Zm9v:{aB3_-678deadbeef}");
        assertThat(decisions.taken()).isEmpty();
        assertThat(names).as("looked up only for a line").hasValue(1);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        reject("rl:zoo:Zm9v:{Cc}");
        assertThat(decisions.taken())
                .containsExactly(
                        "INFO 101 rejected since the last such line; the last one by \"tight {0}\", key Cc...");
    }

    /** A mistake in the data of customers; each kind has a minute of its own. */
    @Test
    void billingDaysAndZonesThatCannotBeUsedAreSummedUpAMinuteLong() {
        RequestSignals log = new CallerPeriodLog(nanos::get);
        log.count(MeterSheet.ANCHOR_UNUSABLE, "plan");
        log.count(MeterSheet.ZONE_UNUSABLE, "plan");
        for (int i = 0; i < 1_000; i++) {
            log.count(MeterSheet.ANCHOR_UNUSABLE, "other {0}");
        }
        assertThat(decisions.taken())
                .containsExactly(
                        "WARNING 1 requests since the last such line had no usable anchor, so their periods begin as"
                                + " if none were given; the last one by \"plan\"",
                        "WARNING 1 requests since the last such line had no known time zone, so their periods are in"
                                + " UTC; the last one by \"plan\"");
        nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
        log.count(MeterSheet.ANCHOR_UNUSABLE, "other {0}");
        assertThat(decisions.taken())
                .singleElement()
                .asString()
                .startsWith("WARNING 1001 requests since")
                .endsWith("the last one by \"other {0}\"");
    }

    /** The log is among the listeners that each application has. */
    @Test
    void anApplicationHearsOfThem() {
        Listeners.withoutBeans().count(MeterSheet.ZONE_UNUSABLE, "plan");
        assertThat(decisions.taken()).hasSize(1);
    }

    @Test
    void manyAreWrittenAlikeEverywhere() {
        for (int i = 0; i < 1_000; i++) {
            reject("rl:zoo:Zm9v:{aB3_-678deadbeef}");
        }
        decisions.taken();
        nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
        reject("rl:zoo:Zm9v:{aB3_-678deadbeef}");
        assertThat(decisions.taken()).singleElement().asString().startsWith("INFO 1000 rejected");
    }

    /** Whatever a limiter of the service's own calls its keys. */
    @Test
    void nothingBreaksTheLine() {
        reject("alice\r\nforged line");
        assertThat(decisions.taken()).hasSize(1).allMatch(line -> line.endsWith("key line..."));
        nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
        reject("\r\n");
        assertThat(decisions.taken()).hasSize(1).allMatch(line -> line.endsWith("key ..."));
    }

    /** A shadow that would have rejected is not the policy that rejected. */
    @Test
    void whatEnforcesIsNamed() {
        Policy shadow = Policy.of("shadow", Algorithm.SLIDING_LOG, 1, Duration.ofHours(1))
                .asShadow();
        RateLimiter limiter = new LocalRateLimiter();
        CheckGroup group = CheckGroup.of(Check.of(shadow, ALICE), Check.of(TIGHT, ALICE));
        limiter.acquire(group);
        rejections.rejected(group, (Decision.Rejected) limiter.acquire(group), limiter);
        assertThat(decisions.taken()).singleElement().asString().contains("\"tight {0}\"");
    }

    @Test
    void theLimiterInMemoryHasADigestToo() {
        rejections.rejected(ASKED, rejected(), new LocalRateLimiter());
        assertThat(decisions.taken())
                .hasSize(1)
                .allMatch(line -> line.matches("INFO .* key [0-9a-f]{8}\\.\\.\\."))
                .noneMatch(line -> line.contains("alice"));
    }

    @Test
    void aNodeThatIsGivenUpAndComesBackIsTwoLines() {
        BreakerLog log = new BreakerLog(nanos::get);
        log.breaker("redis:6379", true, "refused");
        log.breaker("redis:6379", true, "again");
        assertThat(store.taken())
                .containsExactly(
                        "WARNING The store at redis:6379 has failed; only a probe asks it until it answers again: refused");
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(61_250));
        log.breaker("redis:6379", false, "");
        log.breaker("redis:6379", false, "");
        assertThat(store.taken())
                .containsExactly("WARNING The store at redis:6379 answers again, after 1m1s250ms, and decides again");
    }

    @Test
    void ofANodeThatIsNotAskedAnyMoreItIsNotSaidThatItAnswers() {
        BreakerLog log = new BreakerLog(nanos::get);
        log.breaker("redis:6379", true, "refused");
        store.taken();
        log.breaker("redis:6379", false, "nothing is kept there");
        assertThat(store.taken())
                .containsExactly("WARNING The store at redis:6379 is not asked any more: nothing is kept there");
    }

    @Test
    void whatAServerSaysIsOneLineOfALog() {
        new StoreFailureLog()
                .log(new StoreUnavailableException("it says\u2028a\nb" + "c".repeat(1_000), null), "answered 503");
        assertThat(store.taken())
                .hasSize(1)
                .allMatch(line -> line.startsWith("WARNING it says a b")
                        && line.length() < 450
                        && line.endsWith("; answered 503. 0 more failures since the last such message"));
    }

    private void reject(String storeKey) {
        rejections.rejected(ASKED, rejected(), (RateLimiter) Proxy.newProxyInstance(
                RateLimiter.class.getClassLoader(), new Class<?>[] {RateLimiter.class}, (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("storeKey");
                    assertThat(arguments).containsExactly(TIGHT, ALICE);
                    names.incrementAndGet();
                    return storeKey;
                }));
    }

    private static Decision.Rejected rejected() {
        RateLimiter limiter = new LocalRateLimiter();
        limiter.acquire(ASKED);
        return (Decision.Rejected) limiter.acquire(ASKED);
    }
}
