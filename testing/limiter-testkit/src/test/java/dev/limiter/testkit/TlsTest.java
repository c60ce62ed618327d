package dev.limiter.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;

class TlsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    @Test
    void answersClientsThatTrustItsCertificate() throws IOException {
        Path trustStore;
        try (RedisServer redis = RedisServer.startWithTls("--requirepass", "secret")) {
            trustStore = redis.trustStore();
            assertThat(redis.uri()).isEqualTo("rediss://127.0.0.1:" + redis.port());
            assertThat(redis.command("SET", "k", "v")).isEqualTo("OK");
            redis.restart();
            assertThat(redis.command("GET", "k")).isNull();

            assertThatThrownBy(() -> RedisPing.send(SSLSocketFactory.getDefault(), "127.0.0.1", redis.port(), PATIENCE))
                    .isInstanceOf(SSLException.class);
            assertThatThrownBy(() -> RedisPing.send(SocketFactory.getDefault(), "127.0.0.1", redis.port(), PATIENCE))
                    .isInstanceOf(IOException.class);
        }
        assertThat(trustStore.getParent()).doesNotExist();
    }

    @Test
    void certificateIsForThisHost() throws Exception {
        try (RedisServer redis = RedisServer.startWithTls()) {
            shakeHandsVerifyingTheHost(redis, "localhost");
            shakeHandsVerifyingTheHost(redis, "127.0.0.1");
        }
    }

    @Test
    void certificateMayBeForAnotherHost() throws Exception {
        try (RedisServer redis = RedisServer.startWithTlsFor("redis.example")) {
            assertThat(redis.command("PING")).isEqualTo("PONG");
            assertThatThrownBy(() -> shakeHandsVerifyingTheHost(redis, "localhost"))
                    .isInstanceOf(SSLException.class)
                    .hasMessageContaining("localhost");
        }
    }

    @Test
    void plainServerHasNoCertificate() {
        try (RedisServer redis = RedisServer.start()) {
            assertThatThrownBy(redis::trustStore).isInstanceOf(IllegalStateException.class);
        }
    }

    private static void shakeHandsVerifyingTheHost(RedisServer redis, String host) throws Exception {
        try (SSLSocket socket = (SSLSocket) trusting(redis).getSocketFactory().createSocket(host, redis.port())) {
            SSLParameters verifyingTheHost = socket.getSSLParameters();
            verifyingTheHost.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(verifyingTheHost);
            socket.startHandshake();
            assertThat(socket.getSession().isValid()).isTrue();
        }
    }

    private static SSLContext trusting(RedisServer redis) throws Exception {
        KeyStore store = KeyStore.getInstance(
                redis.trustStore().toFile(), redis.trustStorePassword().toCharArray());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
