package dev.limiter.redis.faults;

import dev.limiter.testkit.FaultProxy;
import dev.limiter.testkit.RedisCluster;
import dev.limiter.testkit.RedisServer;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A proxy in front of each server, in their order, and the address that clients know.
 *
 * @param uri of the proxies
 */
record Fronts(List<FaultProxy> proxies, String uri) implements AutoCloseable {

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
        List<Integer> real = nodes.stream().map(RedisServer::port).toList();
        Moments.until(
                "no node names another by its real port", () -> nodes.stream().allMatch(node -> namesNone(real, node)));
        return new Fronts(
                proxies,
                proxies.stream()
                        .map(proxy -> "127.0.0.1:" + proxy.port())
                        .collect(Collectors.joining(",", "redis-cluster://", "")));
    }

    private static boolean namesNone(List<Integer> ports, RedisServer node) {
        String slots = node.command("CLUSTER", "SLOTS").toString();
        String replication = (String) node.command("INFO", "replication");
        return !replication.contains("master_link_status:down")
                && ports.stream()
                        .noneMatch(port -> slots.contains("127.0.0.1, " + port)
                                || replication.contains("master_port:" + port + "\r\n"));
    }

    void pass() {
        proxies.forEach(FaultProxy::pass);
    }

    @Override
    public void close() {
        proxies.forEach(FaultProxy::close);
    }
}
