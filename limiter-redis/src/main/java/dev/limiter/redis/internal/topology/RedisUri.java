package dev.limiter.redis.internal.topology;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.HostAndPort;

/**
 * The place of Redis, as in {@code limiter.redis.uri}.
 *
 * <ul>
 *   <li>{@code redis://host:6379/0}: one server
 *   <li>{@code redis://a:7000,b:7000}: a cluster, of which these nodes are asked for the others;
 *       also {@code redis-cluster://a:7000} if only one node is known
 *   <li>{@code redis-sentinel://a:26379,b:26379/0#name}: the master of that name, as these
 *       sentinels say; {@code ?sentinel=user:password} before {@code #name} if they ask for one
 * </ul>
 *
 * <p>{@code rediss} in place of {@code redis} is TLS; {@code user:password@} stands before the
 * first host, with {@code %40} for {@code @}.
 *
 * @param hosts the server, the nodes or the sentinels; at least one
 * @param master how the sentinels call the master; null without sentinels
 * @param user null for none, or the default user
 * @param password null for none
 * @param sentinelUser of the sentinels; null for none, or the default user
 * @param sentinelPassword of the sentinels; null for none
 * @param database 0 in a cluster
 */
public record RedisUri(
        Kind kind,
        List<HostAndPort> hosts,
        String master,
        String user,
        String password,
        String sentinelUser,
        String sentinelPassword,
        int database,
        boolean tls) {
    private static final int PORT = 6379;
    private static final int SENTINEL_PORT = 26379;
    private static final int MAX_PORT = 65_535;
    private static final Pattern URI = Pattern.compile("(rediss?)(-sentinel|-cluster)?://(?:([^:@/]*):([^@/]*)@)?"
            + "([^/@#?]+)(?:/(\\d{0,9}))?(?:\\?sentinel=([^:@/#]*):([^@/#]*))?(?:#([^#]+))?");
    private static final Pattern HOST = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^:\\[\\]\\s]+)(?::(\\d{1,5}))?");

    /** The kinds of stores: how many servers there are, and how the one to ask is found. */
    public enum Kind {
        SINGLE,
        CLUSTER,
        SENTINEL
    }

    /**
     * @throws IllegalArgumentException if it is none; it does not repeat the text, which may hold
     *     a password
     */
    public static RedisUri parse(String text) {
        Matcher uri = URI.matcher(text.strip());
        if (!uri.matches()) {
            throw notAnAddress();
        }
        boolean sentinel = "-sentinel".equals(uri.group(2));
        List<HostAndPort> hosts = hosts(uri.group(5), sentinel ? SENTINEL_PORT : PORT);
        boolean cluster = "-cluster".equals(uri.group(2)) || !sentinel && hosts.size() > 1;
        String digits = uri.group(6);
        int database = digits == null || digits.isEmpty() ? 0 : Integer.parseInt(digits);
        String master = uri.group(9);
        if (sentinel != (master != null) || !sentinel && uri.group(7) != null || cluster && database != 0) {
            throw notAnAddress();
        }
        return new RedisUri(
                sentinel ? Kind.SENTINEL : cluster ? Kind.CLUSTER : Kind.SINGLE,
                hosts,
                master,
                decoded(uri.group(3)),
                decoded(uri.group(4)),
                decoded(uri.group(7)),
                decoded(uri.group(8)),
                database,
                uri.group(1).equals("rediss"));
    }

    /** The name of the store in messages, without credentials. */
    public String name() {
        List<String> names = hosts.stream().map(HostAndPort::toString).toList();
        return master == null ? String.join(",", names) : master + " of " + String.join(",", names);
    }

    /** The name, without credentials. */
    @Override
    public String toString() {
        return name();
    }

    private static List<HostAndPort> hosts(String list, int defaultPort) {
        List<HostAndPort> hosts = new ArrayList<>();
        for (String each : list.split(",", -1)) {
            Matcher host = HOST.matcher(each.strip());
            int port = host.matches() && host.group(2) != null ? Integer.parseInt(host.group(2)) : defaultPort;
            if (!host.matches() || port < 1 || port > MAX_PORT) {
                throw notAnAddress();
            }
            hosts.add(new HostAndPort(host.group(1), port));
        }
        return List.copyOf(hosts);
    }

    private static String decoded(String part) {
        if (part == null || part.isEmpty()) {
            return null;
        }
        try {
            return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException unreadable) {
            throw notAnAddress();
        }
    }

    private static IllegalArgumentException notAnAddress() {
        return new IllegalArgumentException(
                "is not the address of a Redis; write redis://host:port, rediss://user:password@host:port/db,"
                        + " redis://a:port,b:port for a cluster, or redis-sentinel://a:port,b:port#master;"
                        + " in a password %40 stands for @, %2F for / and %25 for %");
    }
}
