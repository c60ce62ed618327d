package dev.limiter.example;

import static dev.limiter.Algorithm.SLIDING_LOG;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.outbound.RateLimitClientFeature;
import dev.limiter.testkit.ChildJvm;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.client.Entity;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.glassfish.jersey.client.ClientConfig;
import org.glassfish.jersey.jnh.connector.JavaNetHttpConnectorProvider;
import org.junit.jupiter.api.Test;

/**
 * How often an admitted POST reaches a partner that resets the connection instead of an answer.
 * The page about calls to partners names the connectors that send a call again by themselves.
 */
class RepeatedCallsTest {
    private static final Policy CARRIER = Policy.of("carrier", SLIDING_LOG, 50, Duration.ofHours(1));
    private static final PartitionKey ALL = PartitionKey.of("literal", "all");

    @Test
    void theDefaultConnectorOfJerseyRepeatsAPost() throws IOException {
        assertThat(arrivals(ClientBuilder.newClient())).isEqualTo(2);
    }

    @Test
    void theConnectorOfTheGuideDoesNot() throws IOException {
        ClientConfig config = new ClientConfig().connectorProvider(new JavaNetHttpConnectorProvider());
        assertThat(arrivals(ClientBuilder.newClient(config))).isEqualTo(1);
    }

    /** The JVM reads the property once, so this needs a JVM of its own. */
    @Test
    void norDoesTheDefaultConnectorWithThePropertyOfTheGuide() throws IOException {
        Process other = new ProcessBuilder(
                        ChildJvm.command("-Dsun.net.http.retryPost=false", RepeatedCallsTest.class.getName()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(new String(other.getInputStream().readAllBytes(), US_ASCII)).isEqualTo("1");
    }

    public static void main(String[] none) throws IOException {
        System.out.print(arrivals(ClientBuilder.newClient()));
    }

    /** Makes one call, which takes one unit, and counts how often the partner receives it. */
    private static int arrivals(Client client) throws IOException {
        AtomicInteger arrived = new AtomicInteger();
        LocalRateLimiter limiter = new LocalRateLimiter();
        RateLimitClientFeature feature = RateLimitClientFeature.of(CARRIER).using(limiter);
        try (ServerSocket partner = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread listening = new Thread(() -> resetAll(partner, arrived), "partner");
            listening.setDaemon(true);
            listening.start();
            assertThatExceptionOfType(ProcessingException.class)
                    .isThrownBy(() -> client.register(feature)
                            .target("http://localhost:" + partner.getLocalPort())
                            .request()
                            .post(Entity.text("parcel")));
        } finally {
            client.close();
        }
        assertThat(limiter.peek(CARRIER.withDelayVariation(Duration.ofMillis(50)), ALL)
                        .remaining())
                .isEqualTo(49);
        return arrived.get();
    }

    private static void resetAll(ServerSocket partner, AtomicInteger arrived) {
        while (!partner.isClosed()) {
            try (Socket caller = partner.accept()) {
                caller.setSoLinger(true, 0); // closing resets the connection
                if (readsWholeRequest(caller.getInputStream())) {
                    arrived.incrementAndGet();
                }
            } catch (IOException over) {
                // The test is over, or the caller has gone.
            }
        }
    }

    /** The body is the last word that the client sends. */
    private static boolean readsWholeRequest(InputStream in) throws IOException {
        StringBuilder request = new StringBuilder();
        while (!request.toString().contains("parcel")) {
            int next = in.read();
            if (next < 0) {
                return false;
            }
            request.append((char) next);
        }
        return true;
    }
}
