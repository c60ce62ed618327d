package dev.limiter.jaxrs.internal.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.internal.form.FakeRequest;
import dev.limiter.spi.InvalidSettingException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class ForwardedClientAddressTest {
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

    @Test
    void blanksAroundTheNameOfTheHeaderAreNoPartOfIt() {
        Map<String, String> blank =
                Map.of("limiter.trusted-proxies", "10.0.0.0/8", "limiter.client-address-header", " X-Real-IP ");
        assertThat(address(blank, "10.0.0.1", "X-Real-IP", "203.0.113.9")).isEqualTo("203.0.113.9");
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Forwarded-For, Forwarded", "X Real IP", "X-Real-IP:"})
    void aHeaderThatNoRequestCanHaveIsRefused(String header) {
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> address(Map.of("limiter.client-address-header", header), "10.0.0.1", "X", "1.2.3.4"))
                .withMessage(
                        "limiter.client-address-header: must be the name of one header, such as \"Forwarded\", was \""
                                + header + '"');
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
                "for=6.6.6.6;host=\", for=203.0.113.9             | 203.0.113.9", // a quote that the client left open
                "for=\"6.6.6.6, for=\"203.0.113.9:4711\"          | 203.0.113.9",
                "for=6.6.6.6;x=\"\\, for=\"[2a00:1::5]\"          | 2a00:1:0:0:0:0:0:0/64",
                "for=6.6.6.6;x=\"\\\\\", for=203.0.113.9          | 203.0.113.9",
            })
    void theStandardHeaderIsReadWhereItIsConfigured(String forwarded, String client) {
        assertThat(address(STANDARD, "10.0.0.1", "Forwarded", forwarded)).isEqualTo(client);
    }

    /** Names of headers are equal in upper and lower case. */
    @ParameterizedTest
    @ValueSource(strings = {"forwarded", "FORWARDED", "Forwarded"})
    void theStandardHeaderIsItselfInAnyLetters(String header) {
        Map<String, String> settings =
                Map.of("limiter.trusted-proxies", "10.0.0.0/8", "limiter.client-address-header", header);
        assertThat(address(settings, "10.0.0.1", header, "for=203.0.113.9;proto=https"))
                .isEqualTo("203.0.113.9");
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
        SplittableRandom random = new SplittableRandom(64);
        Set<String> asPeer = new HashSet<>();
        Set<String> behindAProxy = new HashSet<>();
        for (int i = 0; i < 1 << 12; i++) {
            String chosen = String.format(
                    "2a00:1:2:3:%x:%x:%x:%x",
                    i, random.nextInt(1 << 16), random.nextInt(1 << 16), random.nextInt(1 << 16));
            asPeer.add(address(Map.of(), chosen, "X", null));
            behindAProxy.add(address(TRUSTING, "10.0.0.1", "X-Forwarded-For", chosen));
        }
        assertThat(asPeer).containsExactly("2a00:1:2:3:0:0:0:0/64");
        assertThat(behindAProxy).containsExactly("2a00:1:2:3:0:0:0:0/64");
        assertThat(address(Map.of(), "2a00:1:2:4::1", "X", null)).isEqualTo("2a00:1:2:4:0:0:0:0/64");
        assertThat(address(Map.of("limiter.ipv6-prefix", "48"), "2a00:1:2:3::1", "X", null))
                .isEqualTo("2a00:1:2:0:0:0:0:0/48");
    }

    @Test
    void tenThousandClaimsOfAStrangerAreOneClient() {
        Set<String> partitions = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            partitions.add(address(TRUSTING, "198.51.100.7", "X-Forwarded-For", claim(i)));
        }
        assertThat(partitions).containsExactly("198.51.100.7");
    }

    /** The proxy appends to the client's header, in a line of its own or in the client's. */
    @ParameterizedTest
    @CsvSource({"X-Forwarded-For, 203.0.113.9", "Forwarded, for=203.0.113.9", "Forwarded, FOR=\"203.0.113.9:80\""})
    void theProxysElementCountsWhateverTheClientWritesBeforeIt(String header, String appended) {
        Map<String, String> settings = header.equals("Forwarded") ? STANDARD : TRUSTING;
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 10_000; i++) {
            String claimed = i % 2 == 0 ? claim(i) : text(random);
            String line = claimed + ", " + appended;
            assertThat(address(settings, "10.0.0.1", header, line)).as(line).isEqualTo("203.0.113.9");
            assertThat(address(settings, "10.0.0.1", header, List.of(claimed, appended)))
                    .as(line)
                    .isEqualTo("203.0.113.9");
        }
    }

    /**
     * A client that the server tells apart has its own partition, and not that of an address.
     */
    @Test
    void aPeerThatIsNoAddressIsCountedByItsText() {
        Set<String> partitions = new HashSet<>();
        List<String> peers = List.of(
                "_hidden",
                "_other",
                "unknown",
                "/run/http.sock",
                "10.0.0.1/x",
                "2a00:1:2:3:0:0:0:0/64",
                "?",
                "a.example");
        for (String peer : peers) {
            partitions.add(address(TRUSTING, peer, "X-Forwarded-For", "203.0.113.9"));
        }
        assertThat(partitions)
                .hasSameSizeAs(peers)
                .contains("?_hidden")
                .doesNotContain("203.0.113.9", "2a00:1:2:3:0:0:0:0/64")
                .allSatisfy(partition ->
                        assertThat(IpAddress.parse(partition.split("/", 2)[0])).isEmpty());
        assertThat(address(TRUSTING, "x".repeat(1 << 20), "X", null)).hasSizeLessThan(1_100);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "  "})
    void aPeerThatTheServerDoesNotTellIsNotOneWithAllOthers(String peer) {
        assertThatIllegalStateException()
                .isThrownBy(() -> address(TRUSTING, peer, "X-Forwarded-For", "203.0.113.9"))
                .withMessageEndingWith("provide a CDI bean of type dev.limiter.jaxrs.ClientAddress");
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.0/33", "10.0.0/8", "proxy.example.org", "10.0.0.0/x", "2001:db8::/129"})
    void aNetworkThatIsNoneIsRefused(String network) {
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> address(Map.of("limiter.trusted-proxies", network), "10.0.0.1", "X", null))
                .withMessageStartingWith("limiter.trusted-proxies: \"" + network + "\"");
    }

    private static String claim(int i) {
        return "203.0." + i / 250 + "." + i % 250;
    }

    /** Up to 30 characters that could end an element or a quote. */
    private static String text(SplittableRandom random) {
        String alphabet = "for=FOR,;:\"\"\"\\\\ .[]%16_x\t";
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(30); length > 0; length--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }

    private static String address(Map<String, String> settings, String peer, String header, Object value) {
        return new ForwardedClientAddress(name -> Optional.ofNullable(settings.get(name)), LimitedRequest::peerAddress)
                .of(new FakeRequest().with("peer", peer).with("header:" + header, value));
    }
}
