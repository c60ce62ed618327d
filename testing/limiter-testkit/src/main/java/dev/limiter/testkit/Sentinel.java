package dev.limiter.testkit;

import java.util.List;
import java.util.Map;

/**
 * One process that watches a master and its replicas, and promotes one of them together with
 * others of its kind.
 */
record Sentinel(int port, ServerProcess process) {

    static final String MASTER_NAME = "mymaster";

    /**
     * What it learns it writes into this file. The master is down after 1 s, if 2 agree; a
     * failover that comes to nothing is given up after 3 s, and tried again after 6.
     */
    private static final String CONFIGURATION = """
            port %2$d
            bind 127.0.0.1
            sentinel monitor %1$s 127.0.0.1 %3$d 2
            sentinel down-after-milliseconds %1$s 1000
            sentinel failover-timeout %1$s 3000
            """;

    private static final String FILE = "sentinel.conf";

    static Sentinel watching(int masterPort) {
        return FreePort.take(port -> {
            String configuration = CONFIGURATION.formatted(MASTER_NAME, port, masterPort);
            return new Sentinel(
                    port, ServerProcess.start(port, Map.of(FILE, configuration), List.of(FILE, "--sentinel")));
        });
    }

    /** The port of the one it takes for the master. */
    int masterPort() {
        List<?> address = (List<?>) call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER_NAME);
        return Integer.parseInt((String) address.get(1));
    }

    /** Whether it could promote any of the replicas, and knows the other sentinels. */
    boolean knows(int replicas, int otherSentinels) {
        List<?> found = (List<?>) call("SENTINEL", "REPLICAS", MASTER_NAME);
        List<?> others = (List<?>) call("SENTINEL", "SENTINELS", MASTER_NAME);
        return others.size() == otherSentinels
                && found.size() == replicas
                && found.stream().allMatch(replica -> follows((List<?>) replica));
    }

    /** @param fields names and values by turns */
    private static boolean follows(List<?> fields) {
        int link = fields.indexOf("master-link-status");
        int flags = fields.indexOf("flags");
        return link >= 0 && "ok".equals(fields.get(link + 1)) && "slave".equals(fields.get(flags + 1));
    }

    Object call(String... words) {
        try (RespConnection connection = RespConnection.open(port, ServerProcess.PATIENCE)) {
            return connection.call(words);
        }
    }
}
