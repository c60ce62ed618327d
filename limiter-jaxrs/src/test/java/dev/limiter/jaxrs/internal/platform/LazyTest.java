package dev.limiter.jaxrs.internal.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LazyTest {
    private final AtomicInteger calls = new AtomicInteger();

    @Test
    void itIsMadeOnceAndWhenItIsAskedFor() {
        Lazy<Integer> lazy = new Lazy<>(calls::incrementAndGet);
        assertThat(calls).hasValue(0);
        assertThat(lazy.get()).isEqualTo(1);
        assertThat(lazy.get()).isEqualTo(1);
    }

    /** A setting that cannot be used fails the deployment, and each request after it. */
    @Test
    void whatThrewIsTriedAgain() {
        Lazy<Integer> lazy = new Lazy<>(() -> {
            if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("not yet");
            }
            return 7;
        });
        assertThatIllegalStateException().isThrownBy(lazy::get);
        assertThat(lazy.get()).isEqualTo(7);
    }
}
