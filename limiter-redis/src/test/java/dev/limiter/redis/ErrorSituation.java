package dev.limiter.redis;

import dev.limiter.spi.StoreError;
import dev.limiter.testkit.RedisCluster;
import dev.limiter.testkit.RedisErrorException;
import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.RespConnection;
import dev.limiter.testkit.SlotMigration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/**
 * A situation in which a server refuses a command, with its provocation and the kind that the
 * limiter gives it.
 *
 * <p>Most situations are provoked three times: by a command alone, by a script, and by a script
 * that catches the error and puts it into a list. The decision script does the last for groups
 * that share a call.
 */
public enum ErrorSituation {
    COMMAND_NOT_PERMITTED(StoreError.NOT_PERMITTED) {
        @Override
        public List<String> provoke() {
            return asUser("-set", "SET", "rl:key", "READONLY");
        }
    },
    SUBCOMMAND_NOT_PERMITTED(StoreError.NOT_PERMITTED) {
        @Override
        public List<String> provoke() {
            return asUser("-xgroup", "XGROUP", "CREATE", "rl:key", "OOM", "0", "MKSTREAM");
        }
    },
    KEY_NOT_PERMITTED(StoreError.NOT_PERMITTED) {
        @Override
        public List<String> provoke() {
            return asUser("+@all", "SET", "READONLY OOM", "x");
        }
    },
    WRONG_PASSWORD(StoreError.NOT_PERMITTED) {
        @Override
        public List<String> provoke() {
            try (RedisServer redis = RedisServer.start();
                    RespConnection connection = open(redis)) {
                redis.command("ACL", "SETUSER", USER, "on", ">pw");
                return List.of(refusal(() -> connection.call("AUTH", USER, "wrong")));
            }
        }
    },
    NO_PASSWORD(StoreError.NOT_PERMITTED) {
        @Override
        public List<String> provoke() {
            try (RedisServer redis = RedisServer.start("--requirepass", "secret");
                    RespConnection connection = open(redis)) {
                return threeWays(connection, "GET", "key");
            }
        }
    },
    MEMORY_IS_FULL(StoreError.OUT_OF_MEMORY) {
        @Override
        public List<String> provoke() {
            try (RedisServer redis = RedisServer.start();
                    RespConnection connection = open(redis)) {
                connection.call("CONFIG", "SET", "maxmemory", "1");
                return threeWays(connection, "SET", "key", "x");
            }
        }
    },
    REPLICA(StoreError.READ_ONLY) {
        @Override
        public List<String> provoke() {
            try (RedisServer redis = RedisServer.start();
                    RespConnection connection = open(redis)) {
                connection.call("REPLICAOF", "127.0.0.1", "1");
                return threeWays(connection, "SET", "key", "x");
            }
        }
    },
    REPLICA_WITHOUT_MASTER(StoreError.LOADING) {
        @Override
        public List<String> provoke() {
            try (RedisServer redis = RedisServer.start("--replica-serve-stale-data", "no");
                    RespConnection connection = open(redis)) {
                connection.call("REPLICAOF", "127.0.0.1", "1");
                return threeWays(connection, "GET", "key");
            }
        }
    },
    DATA_IS_LOADING(StoreError.LOADING) {
        @Override
        public List<String> provoke() {
            // The replica takes 1 ms for each key that it receives, and answers after every 2
            // MiB.
            try (RedisServer master = RedisServer.start("--rdbcompression", "no");
                    RedisServer redis = RedisServer.start();
                    RespConnection connection = open(redis)) {
                connection.call("CONFIG", "SET", "key-load-delay", "1000");
                String fill = "for i = 1, 2000 do redis.call('SET', 'key:' .. i, string.rep('x', 8192)) end";
                master.command("EVAL", fill, "0");
                connection.call("REPLICAOF", "127.0.0.1", Integer.toString(master.port()));
                return List.of(Awaitility.await()
                        .pollInterval(Duration.ofMillis(5))
                        .until(
                                () -> refusalOrEmpty(() -> connection.call("GET", "key")),
                                words -> words.startsWith("LOADING")));
            }
        }
    },
    DATA_CANNOT_BE_SAVED(StoreError.REFUSES_WRITES) {
        @Override
        public List<String> provoke() {
            try (RedisServer redis = RedisServer.start();
                    RespConnection connection = open(redis)) {
                List<?> directory = (List<?>) connection.call("CONFIG", "GET", "dir");
                delete(Path.of((String) directory.get(1)));
                connection.call("CONFIG", "SET", "save", "3600 1");
                connection.call("BGSAVE");
                Awaitility.await()
                        .until(() -> ((String) connection.call("INFO", "persistence"))
                                .contains("rdb_last_bgsave_status:err"));
                return threeWays(connection, "SET", "key", "x");
            }
        }
    },
    TOO_FEW_REPLICAS(StoreError.REFUSES_WRITES) {
        @Override
        public List<String> provoke() {
            try (RedisServer redis = RedisServer.start("--min-replicas-to-write", "1");
                    RespConnection connection = open(redis)) {
                return threeWays(connection, "SET", "key", "x");
            }
        }
    },
    ANOTHER_SCRIPT_RUNS(StoreError.BUSY) {
        @Override
        public List<String> provoke() {
            return whileRunning("while true do end", connection -> threeWays(connection, "GET", "key"));
        }
    },
    SCRIPT_THAT_WROTE_CANNOT_BE_KILLED(StoreError.BUSY) {
        @Override
        public List<String> provoke() {
            return whileRunning(
                    "redis.call('SET', 'a', 'b') while true do end",
                    connection -> List.of(refusal(() -> connection.call("SCRIPT", "KILL"))));
        }
    },
    SCRIPT_WAS_KILLED(StoreError.OTHER) {
        @Override
        public List<String> provoke() {
            try (RedisServer redis = RedisServer.start("--lua-time-limit", "1");
                    RespConnection killed = open(redis);
                    RespConnection connection = open(redis)) {
                killed.send("EVAL", "while true do end", "0");
                awaitBusy(connection);
                connection.call("SCRIPT", "KILL");
                return List.of(refusal(killed::receive));
            }
        }
    },
    TOO_MANY_CLIENTS(StoreError.NOT_CONNECTED) {
        @Override
        public List<String> provoke() {
            try (RedisServer redis = RedisServer.start();
                    RespConnection first = open(redis)) {
                first.call("CONFIG", "SET", "maxclients", "1");
                try (RespConnection second = open(redis)) {
                    return List.of(refusal(second::receive));
                }
            }
        }
    },
    CLUSTER_WITHOUT_SLOTS(StoreError.CLUSTER) {
        @Override
        public List<String> provoke() {
            try (RedisServer redis = RedisServer.start("--cluster-enabled", "yes");
                    RespConnection connection = open(redis)) {
                return List.of(
                        refusal(() -> connection.call("GET", "key")),
                        refusal(() -> connection.call("EVAL", CALL, "1", "key", "GET", "key")));
            }
        }
    },
    SLOT_IS_ELSEWHERE(StoreError.CLUSTER) {
        @Override
        public List<String> provoke() {
            try (RedisCluster cluster = RedisCluster.start(2, 0);
                    RespConnection first = open(cluster.nodes().get(0));
                    RespConnection second = open(cluster.nodes().get(1))) {
                int slot = cluster.slotOf("{tag}");
                RedisServer from = cluster.masterOf(slot);
                boolean isFirst = from == cluster.nodes().get(0);
                RespConnection keeper = isFirst ? first : second;
                RespConnection other = isFirst ? second : first;
                keeper.call("SET", "{tag}here", "x");
                String moved = refusal(() -> other.call("GET", "{tag}here"));
                SlotMigration migration =
                        cluster.beginMigration(slot, cluster.nodes().get(isFirst ? 1 : 0));
                String ask = refusal(() -> keeper.call("GET", "{tag}gone"));
                String again = refusal(() -> keeper.call("MGET", "{tag}here", "{tag}gone"));
                migration.moveKeys();
                migration.finish();
                return List.of(moved, ask, again);
            }
        }
    },
    KEYS_OF_SEVERAL_SLOTS(StoreError.OTHER) {
        @Override
        public List<String> provoke() {
            try (RedisCluster cluster = RedisCluster.start(1, 0);
                    RespConnection connection = open(cluster.nodes().get(0))) {
                return List.of(
                        refusal(() -> connection.call("MGET", "READONLY", "OOM")),
                        refusal(() -> connection.call("EVAL", CALL, "2", "READONLY", "OOM", "PING")));
            }
        }
    },
    KEY_OF_ANOTHER_TYPE(StoreError.OTHER) {
        @Override
        public List<String> provoke() {
            try (RedisServer redis = RedisServer.start();
                    RespConnection connection = open(redis)) {
                connection.call("HSET", "READONLY OOM", "NOPERM", "BUSY");
                return threeWays(connection, "GET", "READONLY OOM");
            }
        }
    },
    UNKNOWN_COMMAND(StoreError.OTHER) {
        @Override
        public List<String> provoke() {
            try (RedisServer redis = RedisServer.start();
                    RespConnection connection = open(redis)) {
                return threeWays(connection, "READONLY-", "OOM", "NOPERM can't run this command");
            }
        }
    },
    COMMAND_IS_RENAMED(StoreError.OTHER) {
        @Override
        public List<String> provoke() {
            try (RedisServer redis = RedisServer.start("--rename-command", "SET", "STORE");
                    RespConnection connection = open(redis)) {
                return threeWays(connection, "SET", "key", "READONLY");
            }
        }
    },
    SCRIPT_IS_UNKNOWN(StoreError.OTHER) {
        @Override
        public List<String> provoke() {
            try (RedisServer redis = RedisServer.start();
                    RespConnection connection = open(redis)) {
                return List.of(refusal(() -> connection.call("EVALSHA", "0".repeat(40), "1", "READONLY")));
            }
        }
    },
    SCRIPT_FAILS_BY_ITSELF(StoreError.OTHER) {
        @Override
        public List<String> provoke() {
            try (RedisServer redis = RedisServer.start();
                    RespConnection connection = open(redis)) {
                return List.of(
                        refusal(() -> connection.call("EVAL", "error('READONLY OOM NOPERM')", "0")),
                        refusal(() -> connection.call("EVAL", "return nothing.at.all", "0")));
            }
        }
    },
    GROUP_IS_THERE(StoreError.OTHER) {
        @Override
        public List<String> provoke() {
            try (RedisServer redis = RedisServer.start();
                    RespConnection connection = open(redis)) {
                connection.call("XGROUP", "CREATE", "key", "group", "0", "MKSTREAM");
                return threeWays(connection, "XGROUP", "CREATE", "key", "group", "0");
            }
        }
    };

    private static final String USER = "caller";
    private static final String CALL = "return redis.call(unpack(ARGV))";

    /** As the decision script catches an error: a table since Redis 7, text before. */
    private static final String CAUGHT = "local done, failure = pcall(function() return redis.call(unpack(ARGV)) end) "
            + "return { type(failure) == 'table' and failure or { err = failure } }";

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final StoreError kind;

    ErrorSituation(StoreError kind) {
        this.kind = kind;
    }

    /** The kind that the limiter gives each of these error replies. */
    public StoreError kind() {
        return kind;
    }

    /**
     * Brings a server into this situation, and returns its error replies without their
     * {@code -}.
     */
    public abstract List<String> provoke();

    /** Asks with a connection while another script runs. */
    private interface Question {
        List<String> ask(RespConnection connection);
    }

    private static RespConnection open(RedisServer redis) {
        return RespConnection.open(redis.port(), PATIENCE);
    }

    /** A user that may use keys under {@code rl:} only, with a further rule. */
    private static List<String> asUser(String rule, String... command) {
        try (RedisServer redis = RedisServer.start();
                RespConnection connection = open(redis)) {
            redis.command("ACL", "SETUSER", USER, "on", ">pw", "~rl:*", "+@all", rule);
            connection.call("AUTH", USER, "pw");
            return threeWays(connection, command);
        }
    }

    private static List<String> whileRunning(String script, Question question) {
        try (RedisServer redis = RedisServer.start("--lua-time-limit", "1");
                RespConnection busy = open(redis);
                RespConnection connection = open(redis)) {
            busy.send("EVAL", script, "0");
            awaitBusy(connection);
            return question.ask(connection);
        }
    }

    private static void awaitBusy(RespConnection connection) {
        Awaitility.await()
                .until(() -> refusalOrEmpty(() -> connection.call("GET", "key")), words -> words.startsWith("BUSY "));
    }

    private static List<String> threeWays(RespConnection connection, String... command) {
        List<String> refusals = new ArrayList<>();
        refusals.add(refusal(() -> connection.call(command)));
        refusals.add(refusal(() -> connection.call(eval(CALL, command))));
        refusals.add(refusal(() -> ((List<?>) connection.call(eval(CAUGHT, command))).get(0)));
        return refusals;
    }

    private static String[] eval(String script, String... command) {
        String[] words = new String[3 + command.length];
        words[0] = "EVAL";
        words[1] = script;
        words[2] = "0";
        IntStream.range(0, command.length).forEach(i -> words[3 + i] = command[i]);
        return words;
    }

    private static String refusal(Callable<Object> call) {
        String words = refusalOrEmpty(call);
        if (words.isEmpty()) {
            throw new IllegalStateException("the server refuses nothing");
        }
        return words;
    }

    private static String refusalOrEmpty(Callable<Object> call) {
        try {
            return call.call() instanceof RedisErrorException error ? error.getMessage() : "";
        } catch (RedisErrorException error) {
            return error.getMessage();
        } catch (RuntimeException failed) {
            throw failed;
        } catch (Exception impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static void delete(Path directory) {
        try {
            Files.delete(directory);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
