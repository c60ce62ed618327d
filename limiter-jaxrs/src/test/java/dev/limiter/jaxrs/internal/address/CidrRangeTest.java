package dev.limiter.jaxrs.internal.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.limiter.jaxrs.MapSettings;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Property;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares addresses and their networks with arithmetic on whole numbers. */
@Tag("proof")
class CidrRangeTest {

    /**
     * Two addresses of one family that are equal up to a bit, and from there on as drawn; and a
     * prefix.
     */
    private record Pair(byte[] one, byte[] other, int prefix) {
        static Pair draw(Dice dice) {
            int bits = dice.oneOf(32, 128);
            byte[] one = new byte[bits / 8];
            for (int i = 0; i < one.length; i++) {
                one[i] = (byte) dice.between(0, 255);
            }
            byte[] other = one.clone();
            int flipped = (int) dice.between(0, bits);
            if (flipped < bits) {
                other[flipped / 8] ^= (byte) (0x80 >> flipped % 8);
            }
            return new Pair(one, other, (int) dice.number(0, bits));
        }

        int bits() {
            return 8 * one.length;
        }

        private BigInteger network(byte[] address) {
            return new BigInteger(1, address).shiftRight(bits() - prefix);
        }

        boolean areInOneNetwork() {
            return network(one).equals(network(other));
        }

        /** The first of the addresses with 0 in all bits after the prefix. */
        String cut() {
            BigInteger cut = network(one).shiftLeft(bits() - prefix);
            byte[] bytes = new byte[one.length];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = cut.shiftRight(8 * (bytes.length - 1 - i)).byteValue();
            }
            return text(bytes);
        }

        @Override
        public String toString() {
            return text(one) + '/' + prefix + " and " + text(other);
        }
    }

    private static String text(byte[] address) {
        try {
            return InetAddress.getByAddress(address).getHostAddress();
        } catch (UnknownHostException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static IpAddress address(String text) {
        return IpAddress.parse(text).orElseThrow();
    }

    @Test
    void aNetworkHoldsExactlyTheAddressesThatBeginLikeIt() {
        Property.forAll(Pair::draw).tries(20_000).check(pair -> {
            CidrRange network = CidrRange.parse(text(pair.one()) + '/' + pair.prefix());
            assertThat(network.contains(address(text(pair.one())))).isTrue();
            assertThat(network.contains(address(text(pair.other())))).isEqualTo(pair.areInOneNetwork());
        });
    }

    @Test
    void theHolderOfANetworkIsOnePartition() {
        Property.forAll(Pair::draw).tries(20_000).check(pair -> {
            String partition = address(text(pair.one())).partition(pair.prefix());
            if (pair.bits() == 32) {
                assertThat(partition).isEqualTo(text(pair.one()));
            } else {
                assertThat(partition).isEqualTo(pair.cut() + '/' + pair.prefix());
                assertThat(partition.equals(address(text(pair.other())).partition(pair.prefix())))
                        .isEqualTo(pair.areInOneNetwork());
            }
        });
    }

    /** One address alone, which is how a single proxy is trusted. */
    @ParameterizedTest
    @CsvSource({
        "192.0.2.1/32,      192.0.2.1,    192.0.2.0",
        "192.0.2.1,         192.0.2.1,    192.0.2.3",
        "2001:db8::1/128,   2001:db8::1,  2001:db8::",
        "2001:db8::1,       2001:db8::1,  2001:db8::3",
        "::ffff:192.0.2.1,  192.0.2.1,    192.0.2.0",
    })
    void aNetworkOfOneAddressHoldsNoOther(String network, String in, String out) {
        assertThat(CidrRange.parse(network).contains(address(in))).isTrue();
        assertThat(CidrRange.parse(network).contains(address(out))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"0.0.0.0/0, 255.255.255.255, ::1", "::/0, ffff::, 192.0.2.1"})
    void theNetworkOfAllAddressesIsOfOneFamily(String network, String in, String out) {
        assertThat(CidrRange.parse(network).contains(address(in))).isTrue();
        assertThat(CidrRange.parse(network).contains(address(out))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.1/33", "2001:db8::/129", "192.0.2.1/", "192.0.2.1/-1", "192.0.2.1/1000", "::/1 "})
    void aPrefixOutOfRangeIsRefused(String network) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CidrRange.parse(network))
                .withMessageContaining("must have a prefix from 0 to");
    }

    @Test
    void aListNamesEachOfItsNetworks() {
        List<CidrRange> listed = CidrRange.listed("limiter.trusted-proxies")
                .in(new MapSettings().with("limiter.trusted-proxies", " 10.0.0.0/8,, 192.0.2.1/32 ,2001:db8::/32,"));
        assertThat(listed).hasSize(3);
        for (String in : List.of("10.1.2.3", "192.0.2.1", "2001:db8:1::1")) {
            assertThat(listed.stream().anyMatch(each -> each.contains(address(in))))
                    .as(in)
                    .isTrue();
        }
        for (String out : List.of("11.0.0.0", "192.0.2.2", "2001:db9::1")) {
            assertThat(listed.stream().anyMatch(each -> each.contains(address(out))))
                    .as(out)
                    .isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "9.255.255.255,       false",
        "10.0.0.0,            true",
        "10.255.255.255,      true",
        "11.0.0.0,            false",
        "127.0.0.1,           true",
        "128.0.0.1,           false",
        "169.254.0.1,         true",
        "169.255.0.1,         false",
        "172.15.255.255,      false",
        "172.16.0.0,          true",
        "172.31.255.255,      true",
        "172.32.0.0,          false",
        "192.167.255.255,     false",
        "192.168.0.0,         true",
        "192.168.255.255,     true",
        "192.169.0.0,         false",
        "::1,                 true",
        "::2,                 false",
        "fbff::1,             false",
        "fc00::1,             true",
        "fcff:ffff::1,        true",
        "fd00::1,             true",
        "fdff:ffff::1,        true",
        "fe00::1,             false",
        "fe80::1,             true",
        "febf::1,             true",
        "ff02::1,             false",
        "2001:db8::1,         false",
        "::ffff:10.0.0.1,     true",
        "::ffff:11.0.0.1,     false",
    })
    void privateNetworksAreRecognised(String text, boolean isPrivate) {
        assertThat(address(text).isPrivate()).isEqualTo(isPrivate);
    }
}
