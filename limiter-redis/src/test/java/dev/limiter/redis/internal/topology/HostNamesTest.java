package dev.limiter.redis.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * A name is looked up for each call, unless a look-up is under way, whatever the result of the
 * last one.
 */
class HostNamesTest {
    private static final long LONG = TimeUnit.MINUTES.toNanos(1);

    private final InetAddress here = InetAddress.getLoopbackAddress();
    private final List<String> looked = new CopyOnWriteArrayList<>();
    private final CountDownLatch answered = new CountDownLatch(1);
    private final HostNames names = new HostNames(this::look);

    private InetAddress[] look(String host) throws UnknownHostException {
        looked.add(host);
        switch (host) {
            case "unknown" -> throw new UnknownHostException(host);
            case "mistake" -> throw new IllegalArgumentException("no name");
            case "silent" -> {
                try {
                    answered.await();
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
            default -> {
                // known at once
            }
        }
        return new InetAddress[] {here, here};
    }

    /** A look-up that has just answered is asked no more: the next one begins anew. */
    private void awaitLooked(String host, int times) throws Exception {
        Awaitility.await().until(() -> {
            assertThat(names.addresses(host, LONG)).containsExactly(here, here);
            return looked.size() >= times;
        });
    }

    @Test
    void aNameThatIsKnownIsLookedUpAnewTheNextTime() throws Exception {
        awaitLooked("redis.example", 1);
        awaitLooked("redis.example", 3);
        assertThat(looked).containsOnly("redis.example");
    }

    @Test
    void eachFailureIsToldAndTheNextCallerAsksAgain() {
        for (int time = 1; time <= 2; time++) {
            int before = looked.size();
            Awaitility.await().until(() -> {
                assertThatExceptionOfType(UnknownHostException.class)
                        .isThrownBy(() -> names.addresses("unknown", LONG))
                        .withMessage("unknown");
                return looked.size() > before;
            });
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> names.addresses("mistake", LONG))
                    .havingCause()
                    .isInstanceOf(IllegalArgumentException.class)
                    .withMessage("no name");
        }
    }

    @Test
    void aNameThatIsSilentHoldsNoOtherUp() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> names.addresses("silent", 0));
        }
        assertThat(names.addresses("redis.example", LONG)).hasSize(2);
        Awaitility.await().until(() -> looked.contains("silent"));
        assertThat(looked).containsExactlyInAnyOrder("silent", "redis.example");
        answered.countDown();
        assertThat(names.addresses("silent", LONG)).hasSize(2);
    }

    @Test
    void anInterruptedCallerWaitsNoLonger() {
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> names.addresses("silent", LONG));
        answered.countDown();
    }

    /** A text that only resembles an address is a name. */
    @Test
    void anAddressIsAskedForAtOnce() throws Exception {
        Thread[] asked = new Thread[1];
        HostNames watching = new HostNames(host -> {
            asked[0] = Thread.currentThread();
            return new InetAddress[] {here};
        });
        for (String address : List.of("10.0.0.1", "255.255.255.255", "fe80::1", "[fe80::1]")) {
            watching.addresses(address, LONG);
            assertThat(asked[0]).as(address).isSameAs(Thread.currentThread());
        }
        for (String name : List.of("10.0.0", "1.2.3.4.example", "redis-1", "1234.1.1.1", "10-0-0-1")) {
            watching.addresses(name, LONG);
            assertThat(asked[0]).as(name).isNotSameAs(Thread.currentThread());
        }
    }
}
