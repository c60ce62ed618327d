package dev.limiter.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.RespConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Redis that speaks with nothing but what shows a certificate that it knows. */
@Tag("store")
class ClientCertificatesTest {
    private static final Policy COUNTER = Limiters.counter("counter", Limiters.ROOMY);

    /** Its certificate is that of the client, too. */
    private static RedisServer redis;

    /** Its certificate is the next one of the client. */
    private static RedisServer next;

    private RespConnection operator;

    @TempDir
    Path directory;

    @BeforeAll
    static void start() {
        redis = RedisServer.startWithTls();
        next = RedisServer.startWithTls();
    }

    @AfterAll
    static void stop() {
        redis.close();
        next.close();
    }

    /** This connection is opened before a certificate is asked for. */
    @BeforeEach
    void askForCertificates() {
        operator = redis.connect();
        operator.call("CONFIG", "SET", "tls-auth-clients", "yes");
    }

    @AfterEach
    void askForNone() {
        knowCertificateOf(redis);
        operator.call("CONFIG", "SET", "tls-auth-clients", "no");
        operator.close();
    }

    private void knowCertificateOf(RedisServer server) {
        operator.call("CONFIG", "SET", "tls-ca-cert-file", server.certificate().toString());
    }

    private static RateLimiter limiter(LogAssertions signals, String... more) {
        List<String> settings = new ArrayList<>(List.of(Limiters.PATIENT));
        settings.addAll(List.of("limiter.redis.trust-store", redis.trustStore().toString()));
        settings.addAll(List.of("limiter.redis.trust-store-password", redis.trustStorePassword()));
        settings.addAll(Arrays.asList(more));
        return Limiters.closed(redis.uri(), signals, settings.toArray(String[]::new));
    }

    private static String[] keyStore(Path file) {
        return new String[] {
            "limiter.redis.key-store", file.toString(), "limiter.redis.key-store-password", redis.trustStorePassword()
        };
    }

    private static String ask(RateLimiter limiter) {
        return Limiters.outcome(limiter, COUNTER, Limiters.key("all"));
    }

    @Test
    void itDecidesForOneThatShowsItsCertificate() {
        try (RateLimiter limiter = limiter(new LogAssertions(), keyStore(redis.keyStore()))) {
            assertThat(ask(limiter)).isEqualTo("admitted by the store");
        }
    }

    @Test
    void itDoesNotForOneThatShowsNone() {
        try (RateLimiter limiter = limiter(new LogAssertions())) {
            assertThat(ask(limiter)).isEqualTo("unavailable");
        }
    }

    /** Those that are open go on; each new one has what is on disk. */
    @Test
    void aRenewedCertificateIsShownByNewConnections() throws IOException {
        Path mine = Files.copy(redis.keyStore(), directory.resolve("mine.p12"));
        LogAssertions signals = new LogAssertions();
        try (RateLimiter limiter = limiter(signals, keyStore(mine))) {
            assertThat(ask(limiter)).isEqualTo("admitted by the store");
            knowCertificateOf(next);
            assertThat(ask(limiter)).as("a connection that is open").isEqualTo("admitted by the store");
            closeConnections();
            assertThat(ask(limiter)).as("the old certificate").isEqualTo("unavailable");
            Files.copy(next.keyStore(), mine, StandardCopyOption.REPLACE_EXISTING);
            Limiters.awaitStore(limiter, COUNTER, Limiters.key("all"));
        }
    }

    private void closeConnections() {
        operator.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    }
}
