package dev.limiter.jaxrs;

import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Settings;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The built-in client address: the peer's, unless the peer is a trusted proxy. Then the one configured header is walked from
 * the right, where our own proxies wrote, to the first address that is not trusted; garbage ends the walk at the last good one.
 */
final class ForwardedAddress implements ClientAddress {
    private static final System.Logger LOG = System.getLogger("dev.limiter.address");
    private static final String FORWARDED = "Forwarded";
    private static final String X_FORWARDED_FOR = "X-Forwarded-For";

    private final Supplier<String> peer;
    private final List<Network> trusted;
    private final String header;
    private final int ipv6Prefix;
    private final AtomicBoolean warned = new AtomicBoolean();

    private ForwardedAddress(Supplier<String> peer, List<Network> trusted, String header, int ipv6Prefix) {
        this.peer = peer;
        this.trusted = trusted;
        this.header = header;
        this.ipv6Prefix = ipv6Prefix;
    }

    /**
     * @param peer the address of the other end of the current request's connection
     * @throws InvalidSettingException if a setting cannot be used
     */
    static ForwardedAddress configured(Settings settings, Supplier<String> peer) {
        String name = "limiter.trusted-proxies";
        List<Network> trusted;
        try {
            trusted = Arrays.stream(settings.value(name).orElse("").split(","))
                    .map(String::strip)
                    .filter(text -> !text.isEmpty())
                    .map(Network::parse)
                    .toList();
        } catch (IllegalArgumentException wrong) {
            throw new InvalidSettingException(name, wrong.getMessage());
        }
        String header = settings.value("limiter.client-address-header").orElse(X_FORWARDED_FOR);
        return new ForwardedAddress(peer, trusted, header, settings.integer("limiter.ipv6-prefix", 64, 1, 128));
    }

    @Override
    public String of(ContainerRequestContext request) {
        String peerText = peer.get();
        Optional<IpAddress> parsed = IpAddress.parse(peerText == null ? "" : peerText);
        if (parsed.isEmpty()) {
            return "unknown";
        }
        IpAddress client = parsed.get();
        warnIfProxyIsNotTrusted(request, client);
        List<String> hops = isTrusted(client) ? hops(request) : List.of();
        for (int i = hops.size() - 1; i >= 0 && isTrusted(client); i--) {
            Optional<IpAddress> before = IpAddress.parse(hops.get(i));
            if (before.isEmpty()) {
                break;
            }
            client = before.get();
        }
        return client.partition(ipv6Prefix);
    }

    private boolean isTrusted(IpAddress address) {
        for (Network network : trusted) {
            if (network.contains(address)) {
                return true;
            }
        }
        return false;
    }

    /** The addresses in the header, the client's claim first, our nearest proxy's last. */
    private List<String> hops(ContainerRequestContext request) {
        List<String> hops = new ArrayList<>();
        for (String line : request.getHeaders().getOrDefault(header, List.of())) {
            hops.addAll(
                    header.equalsIgnoreCase(FORWARDED)
                            ? ForwardedHeader.addresses(line)
                            : List.of(line.split(",", -1)));
        }
        return hops;
    }

    /** Then every client of the proxy would share one partition: worth one loud line. */
    private void warnIfProxyIsNotTrusted(ContainerRequestContext request, IpAddress peerAddress) {
        if (!trusted.isEmpty() || warned.get() || !peerAddress.isPrivate()) {
            return;
        }
        boolean forwarded = request.getHeaders().containsKey(X_FORWARDED_FOR)
                || request.getHeaders().containsKey(FORWARDED);
        if (forwarded && warned.compareAndSet(false, true)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "A private peer sends forwarding headers, and no proxy is trusted: all clients behind it share one"
                            + " partition of '{ip}'. If it is your proxy, set limiter.trusted-proxies to its address or network");
        }
    }
}
