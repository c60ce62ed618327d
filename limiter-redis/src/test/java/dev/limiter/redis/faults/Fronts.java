package dev.limiter.redis.faults;

import dev.limiter.testkit.FaultProxy;
import dev.limiter.testkit.RedisCluster;
import dev.limiter.testkit.RedisServer;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A proxy in front of each server, in their order, and the address that clients know.
 *
 * @param uri of the proxies
 */
record Fronts(List<FaultProxy> proxies, String uri) implements AutoCloseable {
    private static final Pattern NAMED = Pattern.compile("(?:127\\.0\\.0\\.1, |master_port:)(\\d+)");

    static Fronts of(RedisServer server) {
        FaultProxy proxy = FaultProxy.to(server);
        return new Fronts(List.of(proxy), proxy.uri());
    }

    /** The nodes send clients, and replicas, to the proxies as well. */
    static Fronts of(RedisCluster cluster) {
        List<RedisServer> nodes = cluster.nodes();
        List<FaultProxy> proxies = nodes.stream().map(FaultProxy::to).toList();
        for (int i = 0; i < proxies.size(); i++) {
            nodes.get(i)
                    .command(
                            "CONFIG",
                            "SET",
                            "cluster-announce-port",
                            Integer.toString(proxies.get(i).port()));
        }
        Set<String> known = proxies.stream().map(proxy -> "" + proxy.port()).collect(Collectors.toSet());
        Moments.until(
                "each node names the others by their proxies",
                () -> nodes.stream().allMatch(node -> namesOnly(known, node)));
        return new Fronts(
                proxies,
                proxies.stream()
                        .map(proxy -> "127.0.0.1:" + proxy.port())
                        .collect(Collectors.joining(",", "redis-cluster://", "")));
    }

    /** A node hears of the others by and by, and may still name the proxies that were there before. */
    private static boolean namesOnly(Set<String> ports, RedisServer node) {
        String replication = (String) node.command("INFO", "replication");
        return !replication.contains("master_link_status:down")
                && NAMED.matcher(node.command("CLUSTER", "SLOTS") + replication)
                        .results()
                        .allMatch(named -> ports.contains(named.group(1)));
    }

    void pass() {
        proxies.forEach(FaultProxy::pass);
    }

    @Override
    public void close() {
        proxies.forEach(FaultProxy::close);
    }
}
