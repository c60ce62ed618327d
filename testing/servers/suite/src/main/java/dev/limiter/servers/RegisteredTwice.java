package dev.limiter.servers;

import static dev.limiter.servers.Http.to;
import static dev.limiter.servers.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * An application that lists the feature that its server finds without it: a row of the charge
 * table with a WAR of its own.
 */
interface RegisteredTwice extends Topic {
    Policy UNITS = Policy.of("units", Algorithm.SLIDING_LOG, 100, Duration.ofHours(1));
    Policy FLIGHT = Policy.concurrency("flight", 100);

    @Test
    default void itChargesOnce() {
        assertThat(to(server()).get("ends/plain").statusCode()).isEqualTo(200);
        assertThat(charged().units(UNITS)).isEqualTo(1);
        await().until(() -> charged().leases(FLIGHT), leases -> leases == 0);
    }
}
