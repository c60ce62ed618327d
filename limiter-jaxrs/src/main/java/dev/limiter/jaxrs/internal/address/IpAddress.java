package dev.limiter.jaxrs.internal.address;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An IPv4 or IPv6 address, read from text without asking a name server. IPv4 in IPv6 is IPv4.
 */
record IpAddress(InetAddress address) {
    private static final Pattern IPV4 =
            Pattern.compile("(25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}");
    /**
     * A text with a colon and without a leading dot: the JDK takes it for an address or refuses
     * it, and never looks it up.
     */
    private static final Pattern IPV6 = Pattern.compile("(?=.*:)[0-9a-fA-F:][0-9a-fA-F:.]*");

    /**
     * Reads {@code 192.0.2.1}, {@code 192.0.2.1:80}, {@code 2001:db8::1%eth0},
     * {@code [2001:db8::1]:80}; empty for any other text.
     */
    static Optional<IpAddress> parse(String text) {
        String host = withoutPort(text.strip());
        int zone = host.indexOf('%');
        String literal = zone < 0 ? host : host.substring(0, zone);
        if (!IPV4.matcher(literal).matches() && !IPV6.matcher(literal).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new IpAddress(InetAddress.getByName(literal)));
        } catch (UnknownHostException notAnAddress) {
            return Optional.empty();
        }
    }

    private static String withoutPort(String text) {
        if (text.startsWith("[")) {
            int end = text.indexOf(']');
            return end < 0 ? text : text.substring(1, end);
        }
        int colon = text.indexOf(':');
        return colon >= 0 && colon == text.lastIndexOf(':') ? text.substring(0, colon) : text;
    }

    byte[] bytes() {
        return address.getAddress();
    }

    /** Whether the address belongs to a private network, this machine, or the link. */
    boolean isPrivate() {
        boolean uniqueLocal = bytes().length == 16 && (bytes()[0] & 0xfe) == 0xfc;
        return uniqueLocal
                || address.isSiteLocalAddress()
                || address.isLoopbackAddress()
                || address.isLinkLocalAddress();
    }

    /**
     * The text that is counted: the IPv4 address, or the network of an IPv6 address, whose
     * holder may choose all bits after the prefix.
     */
    String partition(int ipv6Prefix) {
        byte[] bytes = bytes();
        if (bytes.length == 4) {
            return address.getHostAddress();
        }
        for (int bit = ipv6Prefix; bit < 128; bit++) {
            bytes[bit / 8] &= (byte) ~(0x80 >> bit % 8);
        }
        try {
            return InetAddress.getByAddress(bytes).getHostAddress() + '/' + ipv6Prefix;
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("16 bytes are an address", impossible);
        }
    }
}
