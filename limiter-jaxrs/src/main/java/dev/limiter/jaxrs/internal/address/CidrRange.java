package dev.limiter.jaxrs.internal.address;

import dev.limiter.spi.Setting;
import java.util.Arrays;
import java.util.List;

/**
 * A range of addresses in CIDR notation: {@code 10.0.0.0/8}, {@code 2001:db8::/32}; without a
 * prefix, one address.
 */
record CidrRange(byte[] base, int prefix) {
    /**
     * @throws IllegalArgumentException if the text is no range
     */
    static CidrRange parse(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        byte[] base = IpAddress.parse(address)
                .orElseThrow(() ->
                        new IllegalArgumentException("\"" + text + "\" is not an address or network; write 10.0.0.0/8"))
                .bytes();
        int bits = 8 * base.length;
        int prefix = slash < 0 ? bits : prefix(text, text.substring(slash + 1), bits);
        return new CidrRange(base, prefix);
    }

    /**
     * A setting that lists ranges, separated by commas.
     *
     * @return its data sheet; without a value it lists none
     */
    static Setting<List<CidrRange>> listed(String setting) {
        return Setting.of(
                setting,
                "",
                list -> Arrays.stream(list.split(","))
                        .map(String::strip)
                        .filter(text -> !text.isEmpty())
                        .map(CidrRange::parse)
                        .toList());
    }

    boolean contains(IpAddress address) {
        return contains(address, prefix);
    }

    /** Whether it may contain an address of which no more than some bits are known. */
    boolean contains(IpAddress address, int known) {
        byte[] bytes = address.bytes();
        if (bytes.length != base.length) {
            return false;
        }
        for (int bit = 0; bit < Math.min(prefix, known); bit++) {
            int mask = 0x80 >> bit % 8;
            if ((bytes[bit / 8] & mask) != (base[bit / 8] & mask)) {
                return false;
            }
        }
        return true;
    }

    private static int prefix(String network, String text, int bits) {
        if (text.matches("\\d{1,3}") && Integer.parseInt(text) <= bits) {
            return Integer.parseInt(text);
        }
        throw new IllegalArgumentException("\"" + network + "\" must have a prefix from 0 to " + bits);
    }
}
