package dev.limiter.redis.faults;

import dev.limiter.spi.CredentialsSource;
import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.RespConnection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What hands out credentials: new ones every two seconds, which hold for three. What has ended does
 * not work any more.
 */
final class ChangingUsers implements CredentialsSource, AutoCloseable {
    private static final long PERIOD_MILLIS = 2_000;
    private static final long BOTH_MILLIS = 1_000;

    private final Kind kind;
    private final List<RespConnection> servers;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private volatile Credentials newest;
    private volatile int given;

    enum Kind {
        /** One user, whose old password is removed; Redis keeps its connections. */
        PASSWORD {
            @Override
            String user(int number) {
                return "limiter";
            }

            @Override
            void end(RespConnection server, int number) {
                server.call("ACL", "SETUSER", "limiter", "<password " + number);
            }
        },

        /** Another user each time, as of Vault; Redis closes the connections of a deleted one. */
        USER {
            @Override
            String user(int number) {
                return "limiter-" + number;
            }

            @Override
            void end(RespConnection server, int number) {
                server.call("ACL", "DELUSER", user(number));
            }
        };

        abstract String user(int number);

        abstract void end(RespConnection server, int number);
    }

    private ChangingUsers(Kind kind, List<RedisServer> servers) {
        this.kind = kind;
        this.servers = servers.stream().map(RedisServer::connect).toList();
    }

    static ChangingUsers of(Kind kind, List<RedisServer> servers) {
        ChangingUsers users = new ChangingUsers(kind, servers);
        users.begin();
        users.clock.scheduleAtFixedRate(users::begin, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        users.clock.scheduleAtFixedRate(users::end, PERIOD_MILLIS + BOTH_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        return users;
    }

    private int ended;

    private void begin() {
        int number = given + 1;
        String password = "password " + number;
        List<String> words = new ArrayList<>(List.of("ACL", "SETUSER", kind.user(number), "on", ">" + password));
        words.addAll(List.of("~*", "+@all"));
        servers.forEach(server -> server.call(words.toArray(String[]::new)));
        newest = new Credentials(kind.user(number), password, Instant.now().plusMillis(PERIOD_MILLIS + BOTH_MILLIS));
        given = number;
    }

    private void end() {
        ended++;
        servers.forEach(server -> kind.end(server, ended));
    }

    @Override
    public Credentials newest() {
        return newest;
    }

    /** How many there were. */
    int given() {
        return given;
    }

    /** The connections of the limiter to each server, as Redis numbers them. */
    List<List<String>> connections() {
        return servers.stream()
                .map(server -> ((String) server.call("CLIENT", "LIST"))
                        .lines()
                        .filter(line -> line.contains(" user=limiter"))
                        .flatMap(line -> Stream.of(line.split(" ")).filter(word -> word.startsWith("id=")))
                        .toList())
                .toList();
    }

    /** How many connections the servers have accepted so far. */
    long accepted() {
        return servers.stream()
                .mapToLong(server -> figure(server, "stats", "total_connections_received:"))
                .sum();
    }

    /** How often a client was authenticated. */
    long authenticated() {
        return servers.stream()
                .mapToLong(server -> figure(server, "commandstats", "cmdstat_auth:calls="))
                .sum();
    }

    private static long figure(RespConnection server, String section, String name) {
        String info = (String) server.call("INFO", section);
        int at = info.indexOf(name);
        return at < 0 ? 0 : Long.parseLong(info.substring(at + name.length()).split("\\D", 2)[0]);
    }

    @Override
    public void close() {
        clock.shutdownNow();
        try {
            clock.awaitTermination(1, TimeUnit.MINUTES);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        servers.forEach(RespConnection::close);
    }
}
