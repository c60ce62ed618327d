package dev.limiter.outbound.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Closings of gates that the store is told late, on a clock that the test moves. */
class PendingClosingsTest {
    private static final Policy CARRIER = Policy.of("carrier", Algorithm.GCRA, 5, Duration.ofSeconds(10));
    private static final Policy OTHER = Policy.of("other", Algorithm.GCRA, 5, Duration.ofSeconds(10));

    private long nanos = Long.MAX_VALUE - 5;
    private final PendingClosings untold = new PendingClosings(() -> nanos);
    private final List<String> told = new ArrayList<>();
    private Runnable whileTold = () -> {};

    /** A store that records the closed gates, and for how long. It refuses all other calls. */
    private final RateLimiter store = (RateLimiter) Proxy.newProxyInstance(
            RateLimiter.class.getClassLoader(), new Class<?>[] {RateLimiter.class}, (proxy, method, arguments) -> {
                assertThat(method.getName()).isEqualTo("closeGate");
                Policy policy = (Policy) arguments[0];
                whileTold.run();
                told.add(policy.name() + ' ' + arguments[1] + ' ' + ((Duration) arguments[2]).toMillis());
                return null;
            });

    private static Check check(Policy policy, String key) {
        return Check.of(policy, PartitionKey.of("account", key));
    }

    private static String line(String policy, String key, long millis) {
        return policy + ' ' + PartitionKey.of("account", key) + ' ' + millis;
    }

    private void passes(long millis) {
        nanos += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Test
    void eachPartitionOfACallHearsWhatIsLeftOfItsOwn() {
        untold.add(check(CARRIER, "a"), Duration.ofSeconds(10));
        untold.add(check(OTHER, "a"), Duration.ofSeconds(20));
        untold.add(check(CARRIER, "b"), Duration.ofSeconds(30));
        passes(3_000);
        CheckGroup both = CheckGroup.of(check(CARRIER, "a"), check(OTHER, "a"));
        assertThat(untold.concern(both)).isTrue();
        untold.tell(store, both);
        assertThat(told).containsExactly(line("carrier", "a", 7_000), line("other", "a", 17_000));
        assertThat(untold.concern(both)).isFalse();
        assertThat(untold.concern(CheckGroup.of(check(CARRIER, "c"), check(CARRIER, "b"))))
                .isTrue();
        untold.tell(store, both);
        assertThat(told).as("told once").hasSize(2);
    }

    @Test
    void theLongestOfSeveralIsTold() {
        untold.add(check(CARRIER, "a"), Duration.ofSeconds(5));
        untold.add(check(CARRIER, "a"), Duration.ofSeconds(9));
        untold.add(check(CARRIER, "a"), Duration.ofSeconds(7));
        untold.tell(store, CheckGroup.of(check(CARRIER, "a")));
        assertThat(told).containsExactly(line("carrier", "a", 9_000));
    }

    @Test
    void whatIsOverIsToldAsOpenAndALongOneIsBounded() {
        untold.add(check(CARRIER, "a"), Duration.ofSeconds(5));
        untold.add(check(CARRIER, "b"), Duration.ofDays(5));
        passes(6_000);
        untold.tell(store, CheckGroup.of(check(CARRIER, "a"), check(CARRIER, "b")));
        assertThat(told)
                .containsExactly(
                        line("carrier", "a", 0), line("carrier", "b", Policy.LONGEST_CLOSING.toMillis() - 6_000));
    }

    /** Another call of that partition met the longer closing meanwhile. */
    @Test
    void aLongerClosingThatComesWhileTellingIsToldNext() {
        untold.add(check(CARRIER, "a"), Duration.ofSeconds(5));
        whileTold = () -> {
            whileTold = () -> {};
            untold.add(check(CARRIER, "a"), Duration.ofSeconds(8));
        };
        CheckGroup call = CheckGroup.of(check(CARRIER, "a"));
        untold.tell(store, call);
        assertThat(untold.concern(call)).isTrue();
        untold.tell(store, call);
        assertThat(told).containsExactly(line("carrier", "a", 5_000), line("carrier", "a", 8_000));
        assertThat(untold.concern(call)).isFalse();
    }

    @Test
    void whatCouldNotBeToldIsToldTheNextTime() {
        untold.add(check(CARRIER, "a"), Duration.ofSeconds(5));
        CheckGroup call = CheckGroup.of(check(CARRIER, "a"));
        for (int failure = 0; failure < 2; failure++) {
            whileTold = () -> {
                throw new StoreUnavailableException("down", null);
            };
            assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> untold.tell(store, call));
            assertThat(untold.concern(call)).isTrue();
        }
        whileTold = () -> {};
        untold.tell(store, call);
        assertThat(told).containsExactly(line("carrier", "a", 5_000));
    }

    @Test
    void aShadowClosesNothing() {
        Policy trial = CARRIER.asShadow();
        untold.add(check(trial, "a"), Duration.ofSeconds(5));
        assertThat(untold.concern(CheckGroup.of(check(trial, "a")))).isFalse();
    }

    /** A thousand partitions are kept. A new one finds room when others are open again. */
    @Test
    void ofMoreThanAThousandTheLatestAreLost() {
        for (int key = 0; key < 1_000; key++) {
            untold.add(check(CARRIER, "key " + key), Duration.ofSeconds(key < 500 ? 5 : 50));
        }
        untold.add(check(CARRIER, "late"), Duration.ofSeconds(60));
        assertThat(untold.concern(CheckGroup.of(check(CARRIER, "late")))).isFalse();
        untold.add(check(CARRIER, "key 999"), Duration.ofSeconds(55));
        untold.tell(store, CheckGroup.of(check(CARRIER, "key 999")));
        assertThat(told).containsExactly(line("carrier", "key 999", 55_000));
        untold.add(check(CARRIER, "key 999"), Duration.ofSeconds(55));
        passes(5_000);
        untold.add(check(CARRIER, "late"), Duration.ofSeconds(60));
        assertThat(untold.concern(CheckGroup.of(check(CARRIER, "late")))).isTrue();
        assertThat(untold.concern(CheckGroup.of(check(CARRIER, "key 499")))).isFalse();
        assertThat(untold.concern(CheckGroup.of(check(CARRIER, "key 500")))).isTrue();
    }
}
