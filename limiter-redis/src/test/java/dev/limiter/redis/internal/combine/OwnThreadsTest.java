package dev.limiter.redis.internal.combine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.redis.internal.limiter.RedisRateLimiter;
import dev.limiter.redis.internal.node.NodeMonitor;
import dev.limiter.redis.internal.topology.FakeServers;
import dev.limiter.redis.internal.topology.HostNames;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.redis.internal.topology.Watch;
import dev.limiter.redis.internal.topology.Watchdog;
import java.net.InetAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;

/**
 * A thread of the limiter begins in a request. It keeps neither the JVM alive nor the class
 * loader of that request's application.
 */
class OwnThreadsTest {
    private final ClassLoader before = Thread.currentThread().getContextClassLoader();
    private final URLClassLoader application = new URLClassLoader(new URL[0], before);
    private final CompletableFuture<Seen> seen = new CompletableFuture<>();

    private record Seen(String name, boolean daemon, ClassLoader loader) {}

    @BeforeEach
    void beInARequest() {
        Thread.currentThread().setContextClassLoader(application);
    }

    @AfterEach
    void leaveTheRequest() throws Exception {
        Thread.currentThread().setContextClassLoader(before);
        application.close();
    }

    private void look() {
        Thread thread = Thread.currentThread();
        if (thread.getName().startsWith("limiter-")) {
            seen.complete(new Seen(thread.getName(), thread.isDaemon(), thread.getContextClassLoader()));
        }
    }

    private void assertIsOwn(String name) throws Exception {
        assertThat(seen.get(30, TimeUnit.SECONDS))
                .isEqualTo(new Seen(name, true, RedisRateLimiter.class.getClassLoader()));
    }

    @Test
    void theLookupRunsOnItsOwnThread() throws Exception {
        HostNames names = new HostNames(host -> {
            look();
            return new InetAddress[] {InetAddress.getLoopbackAddress()};
        });
        names.addresses("redis.example", TimeUnit.SECONDS.toNanos(30));
        assertIsOwn("limiter-lookup");
    }

    @Test
    void theMonitorRunsOnItsOwnThread() throws Exception {
        FakeServers servers = new FakeServers();
        servers.looking = this::look;
        try (NodeMonitor monitor = new NodeMonitor(servers)) {
            monitor.refresh();
            assertIsOwn("limiter-monitor");
        }
    }

    @Test
    void theWatchdogRunsOnItsOwnThread() throws Exception {
        Timeouts timeouts = Timeouts.within(Duration.ofMillis(3));
        Watchdog watchdog = new Watchdog(timeouts, () -> {
            look();
            return 0;
        });
        try (watchdog;
                Connection connection = new Connection(new HostAndPort("localhost", 1))) {
            Watch watch = watchdog.watch(connection, TimeUnit.MINUTES.toNanos(1));
            assertIsOwn("limiter-watchdog");
            watch.end();
        }
    }
}
