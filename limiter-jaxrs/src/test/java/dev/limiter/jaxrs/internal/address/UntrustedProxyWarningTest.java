package dev.limiter.jaxrs.internal.address;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.LogLines;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.internal.form.FakeRequest;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * LIM03: all clients of a proxy that is not trusted count as one, which is logged once. LIM02: a
 * client that is trusted as a proxy chooses its address.
 */
class UntrustedProxyWarningTest {
    private final LogLines lines = new LogLines("dev.limiter.address");
    private final MapSettings settings = new MapSettings();

    @AfterEach
    void close() {
        lines.close();
    }

    private static FakeRequest from(String peer) {
        return new FakeRequest().with("peer", peer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Forwarded-For", "Forwarded"})
    void aPrivatePeerThatForwardsIsWarnedOfOnce(String header) {
        ForwardedClientAddress addresses = new ForwardedClientAddress(settings, LimitedRequest::peerAddress);
        addresses.of(from("10.0.0.1"));
        addresses.of(from("198.51.100.7").with("header:" + header, "203.0.113.9"));
        assertThat(lines.taken()).as("neither private and forwarding").isEmpty();
        for (String peer : List.of("10.0.0.1", "10.0.0.1", "10.0.0.2", "fd00::1")) {
            addresses.of(from(peer).with("header:" + header, "203.0.113.9"));
        }
        assertThat(lines.taken())
                .singleElement()
                .asString()
                .startsWith("WARNING LIM03 A private peer sends forwarding headers")
                .contains("limiter.trusted-proxies");
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.1", "127.0.0.1", "192.168.1.1", "172.31.0.1", "fd00::1", "fc00::1", "fe80::1"})
    void everyPrivatePeerMayBeAProxy(String peer) {
        new ForwardedClientAddress(settings, LimitedRequest::peerAddress)
                .of(from(peer).with("header:X-Forwarded-For", "203.0.113.9"));
        assertThat(lines.taken()).hasSize(1);
    }

    /**
     * An operator that has named proxies knows them. Another peer that forwards is a client with
     * a made-up header.
     */
    @Test
    void aTrustedProxySettingSilencesTheWarning() {
        settings.with("limiter.trusted-proxies", "192.0.2.1");
        new ForwardedClientAddress(settings, LimitedRequest::peerAddress)
                .of(from("10.0.0.1").with("header:X-Forwarded-For", "203.0.113.9"));
        assertThat(lines.taken()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0.0.0.0/0 | 1",
                "10.0.0.0/8, ::/0 | 1",
                "0.0.0.0/1, 128.0.0.0/1 | 1",
                "2000::/3 | 1",
                "10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, fc00::/7 | 0",
                "52.0.0.0/8, 2400:cb00::/32 | 0",
            })
    void aNetworkWithClientsInItIsWarnedOf(String networks, int warnings) {
        settings.with("limiter.trusted-proxies", networks);
        new ForwardedClientAddress(settings, LimitedRequest::peerAddress);
        assertThat(lines.taken())
                .hasSize(warnings)
                .allMatch(line -> line.startsWith("WARNING LIM02 limiter.trusted-proxies trusts a network"));
    }
}
