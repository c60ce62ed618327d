package dev.limiter.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.spi.InvalidSettingException;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForwardedAddressTest {
    private static final Map<String, String> TRUSTING = Map.of("limiter.trusted-proxies", "10.0.0.0/8, 2001:db8::/32");
    private static final Map<String, String> STANDARD = Map.of(
            "limiter.trusted-proxies", "10.0.0.0/8, 2001:db8::/32", "limiter.client-address-header", "Forwarded");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "198.51.100.7 | 1.2.3.4                       | 198.51.100.7", // a stranger may claim what it likes
                "10.0.0.1     | -                             | 10.0.0.1",
                "10.0.0.1     | 203.0.113.9                   | 203.0.113.9",
                "10.0.0.1     | 6.6.6.6, 203.0.113.9          | 203.0.113.9", // the left is the client's own claim
                "10.0.0.1     | 203.0.113.9, 10.9.9.9         | 203.0.113.9",
                "10.0.0.1     | 203.0.113.9:4711, 10.9.9.9:80 | 203.0.113.9",
                "10.0.0.1     | 6.6.6.6, garbage, 10.9.9.9    | 10.9.9.9", // ends at the last good one
                "10.0.0.1     | example.org                   | 10.0.0.1", // and no name is ever looked up
                "10.0.0.1     | 203.0.113.9,                  | 10.0.0.1",
                "10.0.0.1     | 999.1.1.1                     | 10.0.0.1",
                "10.0.0.1     | .::                           | 10.0.0.1",
                "10.0.0.1     | ::1::                         | 10.0.0.1",
                "10.0.0.1     | ::ffff:203.0.113.9            | 203.0.113.9",
                "10.0.0.1     | [2a00::1]:80                  | 2a00:0:0:0:0:0:0:0/64",
                "2001:db8::1  | 2a00:1:2:3:4:5:6:7            | 2a00:1:2:3:0:0:0:0/64",
                "fe80::1%eth0 | -                             | fe80:0:0:0:0:0:0:0/64",
            })
    void theHeaderIsWalkedFromTheRightOnlyBehindATrustedProxy(String peer, String forwarded, String client) {
        assertThat(address(TRUSTING, peer, "X-Forwarded-For", forwarded)).isEqualTo(client);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "for=203.0.113.9                                  | 203.0.113.9",
                "for=6.6.6.6, For=\"203.0.113.9:4711\";proto=https | 203.0.113.9",
                "proto=https; for=\"[2a00:1::5]:4711\"             | 2a00:1:0:0:0:0:0:0/64",
                "for=unknown                                      | 10.0.0.1",
                "for=_hidden, for=10.2.2.2                        | 10.2.2.2",
                "by=203.0.113.9                                   | 10.0.0.1",
                "for=203.0.113.9;host=\"x, for=1.2.3.4\"           | 203.0.113.9", // a host is the client's own claim
                "by=\"x;for=1.2.3.4\";for=203.0.113.9             | 203.0.113.9",
                "for=203.0.113.9;host=\"\\\", for=1.2.3.4\"        | 203.0.113.9",
            })
    void theStandardHeaderIsReadWhereItIsConfigured(String forwarded, String client) {
        assertThat(address(STANDARD, "10.0.0.1", "Forwarded", forwarded)).isEqualTo(client);
    }

    @Test
    void onlyTheConfiguredHeaderIsRead() {
        assertThat(address(STANDARD, "10.0.0.1", "X-Forwarded-For", "203.0.113.9"))
                .isEqualTo("10.0.0.1");
        assertThat(address(TRUSTING, "10.0.0.1", "Forwarded", "for=203.0.113.9"))
                .isEqualTo("10.0.0.1");
    }

    @Test
    void theHolderOfAnIpv6NetworkIsOneClient() {
        Set<String> partitions = new HashSet<>();
        for (int i = 0; i < 1 << 16; i++) {
            partitions.add(address(Map.of(), "2a00:1:2:3:" + Integer.toHexString(i) + "::1", "X", null));
        }
        assertThat(partitions).containsExactly("2a00:1:2:3:0:0:0:0/64");
        assertThat(address(Map.of("limiter.ipv6-prefix", "48"), "2a00:1:2:3::1", "X", null))
                .isEqualTo("2a00:1:2:0:0:0:0:0/48");
    }

    @Test
    void tenThousandClaimsOfAStrangerAreOneClient() {
        Set<String> partitions = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            partitions.add(address(TRUSTING, "198.51.100.7", "X-Forwarded-For", "203.0." + i / 250 + "." + i % 250));
        }
        assertThat(partitions).containsExactly("198.51.100.7");
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.0/33", "10.0.0/8", "proxy.example.org", "10.0.0.0/x", "2001:db8::/129"})
    void aNetworkThatIsNoneIsRefused(String network) {
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> address(Map.of("limiter.trusted-proxies", network), "10.0.0.1", "X", null))
                .withMessageStartingWith("limiter.trusted-proxies: \"" + network + "\"");
    }

    private static String address(Map<String, String> settings, String peer, String header, String value) {
        return ForwardedAddress.configured(name -> Optional.ofNullable(settings.get(name)))
                .of(new FakeRequest().with("peer", peer).with("header:" + header, value));
    }
}
