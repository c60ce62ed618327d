package dev.limiter.example.quarkus;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.Test;

@QuarkusTest
class AnimalsTest {
    @TestHTTPResource("animals")
    URI animals;

    @Inject
    MovedClock clock;

    @Test
    void sixthRequestIsRejectedUntilTwoSecondsHavePassed() throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(status()).isEqualTo(200);
        }
        assertThat(status()).isEqualTo(429);
        clock.pass(Duration.ofSeconds(2));
        assertThat(status()).isEqualTo(200);
        assertThat(status()).isEqualTo(429);
    }

    private int status() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(animals).build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).statusCode();
    }
}
