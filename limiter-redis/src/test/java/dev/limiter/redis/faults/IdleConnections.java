package dev.limiter.redis.faults;

import dev.limiter.testkit.RedisServer;
import java.time.Duration;
import java.util.List;

/** Connections of limiters that are closed by the other end while they are not used. */
final class IdleConnections {
    /** Longer than a second, whatever Redis rounds, and shorter than the pool keeps them. */
    static final Duration LONGEST = Duration.ofSeconds(2);

    private IdleConnections() {}

    static void endAt(RedisServer redis) {
        redis.command("CONFIG", "SET", "timeout", Long.toString(LONGEST.toSeconds()));
    }

    /** Connections on which limiters have asked, and none of sentinels. */
    static long open(List<RedisServer> servers) {
        return servers.stream()
                .flatMap(server -> ((String) server.command("CLIENT", "LIST")).lines())
                .filter(client -> client.matches(".* cmd=(eval|evalsha|del|info) .*"))
                .count();
    }

    static void awaitTheirEnd(List<RedisServer> servers) {
        Moments.until("all are closed", () -> open(servers) == 0);
    }
}
