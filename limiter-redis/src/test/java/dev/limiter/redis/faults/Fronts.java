package dev.limiter.redis.faults;

import dev.limiter.testkit.FaultProxy;
import dev.limiter.testkit.RedisCluster;
import dev.limiter.testkit.RedisServer;
import java.util.List;

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

    /** The proxies of a cluster that was started behind proxies. */
    static Fronts of(RedisCluster cluster) {
        return new Fronts(cluster.proxies(), cluster.uri().replace("redis://", "redis-cluster://"));
    }

    void pass() {
        proxies.forEach(FaultProxy::pass);
    }

    @Override
    public void close() {
        proxies.forEach(FaultProxy::close);
    }
}
