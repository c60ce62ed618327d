package dev.limiter.jaxrs.internal.address;

import dev.limiter.PartitionKey;
import dev.limiter.jaxrs.ClientAddress;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.PeerAddress;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Setting;
import dev.limiter.spi.Settings;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The built-in client address: the peer's, unless the peer is a trusted proxy. Then it reads the
 * configured header from the right, where the trusted proxies wrote, up to the first address
 * that is not trusted. A malformed part ends the reading at the last good address. A peer that
 * is no address, such as {@code _hidden} or a socket's path, is counted by its text.
 */
public final class ForwardedClientAddress implements ClientAddress {
    private static final System.Logger LOG = System.getLogger("dev.limiter.address");
    /** A token of RFC 9110. */
    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    private static final String FORWARDED = "Forwarded";
    private static final String X_FORWARDED_FOR = "X-Forwarded-For";
    public static final Setting<List<CidrRange>> TRUSTED_PROXIES = CidrRange.listed("limiter.trusted-proxies");
    public static final Setting<String> HEADER =
            Setting.of("limiter.client-address-header", X_FORWARDED_FOR, ForwardedClientAddress::nameOfHeader);
    public static final Setting<Integer> IPV6_PREFIX = Setting.integer("limiter.ipv6-prefix", 64, 1, 128);
    /**
     * The prefix of a peer that is no address, so that it is never taken for another client's
     * address, nor for an exempt one.
     */
    private static final String NO_ADDRESS = "?";

    /** That of the private addresses of IPv6: a wider network has many owners. */
    private static final int SHORTEST_PREFIX = 7;

    private final List<CidrRange> trusted;
    private final String header;
    private final int ipv6Prefix;
    private final PeerAddress peers;
    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * @param peers name the peer of each request
     * @throws InvalidSettingException if a setting cannot be used
     */
    public ForwardedClientAddress(Settings settings, PeerAddress peers) {
        this.trusted = TRUSTED_PROXIES.in(settings);
        this.header = HEADER.in(settings);
        this.ipv6Prefix = IPV6_PREFIX.in(settings);
        this.peers = peers;
        if (trusted.stream().anyMatch(range -> range.prefix() < SHORTEST_PREFIX)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "LIM02 limiter.trusted-proxies trusts a network with clients in it: each of them chooses its address,"
                            + " and each new one has a fresh quota. Name only your proxies");
        }
    }

    private static String nameOfHeader(String text) {
        String name = text.strip();
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "must be the name of one header, such as \"Forwarded\", was \"" + name + '"');
        }
        return name;
    }

    @Override
    public String of(LimitedRequest request) {
        String peer = peers.of(request);
        if (peer == null || peer.isBlank()) {
            throw new IllegalStateException("the server does not tell the address of the client, which would be counted"
                    + " together with all others of that kind: provide a CDI bean of type "
                    + ClientAddress.class.getName());
        }
        Optional<IpAddress> parsed = IpAddress.parse(peer);
        if (parsed.isEmpty()) {
            return NO_ADDRESS + peer.substring(0, Math.min(peer.length(), PartitionKey.MAX_VALUE_LENGTH));
        }
        if (trusted.isEmpty()) {
            warnIfPeerMayBeProxy(request, parsed.get());
            return parsed.get().partition(ipv6Prefix);
        }
        return behindProxies(parsed.get(), request).partition(ipv6Prefix);
    }

    /** The first address that is not trusted, beginning with the nearest proxy. */
    private IpAddress behindProxies(IpAddress peer, LimitedRequest request) {
        IpAddress client = peer;
        List<String> hops = isTrusted(client) ? hops(request) : List.of();
        for (int i = hops.size() - 1; i >= 0 && isTrusted(client); i--) {
            Optional<IpAddress> before = IpAddress.parse(hops.get(i));
            if (before.isEmpty()) {
                break;
            }
            client = before.get();
        }
        return client;
    }

    /**
     * An address as requests from it are counted, in any spelling, with or without a prefix
     * length.
     *
     * @throws IllegalArgumentException if it is no address
     */
    public String partition(String address) {
        if (address.startsWith(NO_ADDRESS)) {
            return address;
        }
        return IpAddress.parse(address.split("/", 2)[0])
                .orElseThrow(() -> new IllegalArgumentException(
                        "\"" + address + "\" is not an address; write one such as \"192.0.2.1\" or \"2001:db8::1\""))
                .partition(ipv6Prefix);
    }

    private boolean isTrusted(IpAddress address) {
        return trusted.stream().anyMatch(network -> network.contains(address));
    }

    /** The addresses in the header, the client's claim first, that of the nearest proxy last. */
    private List<String> hops(LimitedRequest request) {
        boolean isForwarded = header.equalsIgnoreCase(FORWARDED);
        return request.headers(header).stream()
                .flatMap(
                        line -> isForwarded ? ForwardedHeader.addresses(line).stream() : Stream.of(line.split(",", -1)))
                .toList();
    }

    /**
     * Warns once if a proxy seems to forward and none is trusted: all its clients would share
     * one partition.
     */
    private void warnIfPeerMayBeProxy(LimitedRequest request, IpAddress peerAddress) {
        if (warned.get() || !peerAddress.isPrivate()) {
            return;
        }
        boolean forwarded = request.header(X_FORWARDED_FOR) != null || request.header(FORWARDED) != null;
        if (forwarded && warned.compareAndSet(false, true)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "LIM03 A private peer sends forwarding headers, and no proxy is trusted: all clients behind it share one"
                            + " partition of '{ip}'. If it is your proxy, set limiter.trusted-proxies to its address or network");
        }
    }
}
