package dev.limiter.benchmarks;

import dev.limiter.benchmarks.contest.Competitor;
import dev.limiter.benchmarks.contest.Quota;
import dev.limiter.testkit.RedisServer;
import java.util.List;
import java.util.Optional;

/**
 * Starts a published peer. A peer that cannot be started is a remark in the document. No two
 * peers share a key.
 */
final class Entrance {
    private Entrance() {}

    /** All that start. */
    static List<Contender<Competitor>> all(RedisServer redis, Quota quota, List<String> keys, Output output) {
        return Peers.all().stream()
                .flatMap(peer -> of(peer, redis, quota, keys, output).stream())
                .toList();
    }

    private static Optional<Contender<Competitor>> of(
            Peer peer, RedisServer redis, Quota quota, List<String> keys, Output output) {
        try {
            List<String> own = keys.stream()
                    .map(key -> peer.entry().artifact() + ":" + key)
                    .toList();
            return Optional.of(new Contender<>(peer.name(), peer.entry().enter(redis.port(), quota, own)));
        } catch (RuntimeException | LinkageError failed) {
            output.remark(peer.name() + " " + peer.version() + " did not start: " + failed);
            return Optional.empty();
        }
    }
}
