package dev.limiter.example;

import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import redis.clients.jedis.BuilderFactory;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.CommandObject;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.params.XAddParams;
import redis.clients.jedis.resps.StreamEntry;
import redis.clients.jedis.util.JedisURIHelper;

/**
 * The marks of all instances: a stream in Redis, of some {@value #LENGTH} entries, that is gone an
 * hour after the last one.
 *
 * <p>No request waits for it. A thread writes all new marks in one round trip. Marks that come
 * faster than that, or while Redis does not answer, are lost. After a failure no thread asks for
 * a second. Then a single thread at a time asks, until there is an answer.
 */
final class MarkStream implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.limiter.example.marks");

    private static final long LENGTH = 10_000;
    private static final long KEPT_MILLIS = 3_600_000;
    private static final int WAITING = 4_096;
    private static final int BATCH = 500;
    private static final int PATIENCE_MILLIS = 500;
    private static final long REST_NANOS = 1_000_000_000;

    private final String key;
    private final RedisClient redis;
    private final BlockingQueue<Mark> waiting = new ArrayBlockingQueue<>(WAITING);
    private final AtomicLong lost = new AtomicLong();
    private final Thread writer = new Thread(this::write, "zoo-marks");
    private final AtomicBoolean probing = new AtomicBoolean();
    private volatile boolean failing;
    private volatile boolean closed;
    private volatile long restsUntilNanos;

    /**
     * @param uri of one server: {@code redis://user:password@host:6379/0}, or {@code rediss}
     * @param key of the stream
     */
    MarkStream(URI uri, String key) {
        this.key = key;
        int port = uri.getPort() < 0 ? Protocol.DEFAULT_PORT : uri.getPort();
        redis = RedisClient.builder()
                .hostAndPort(new HostAndPort(uri.getHost(), port))
                .clientConfig(client(uri))
                .poolConfig(connections())
                .build();
        writer.setDaemon(true);
        writer.start();
    }

    private static JedisClientConfig client(URI uri) {
        DefaultJedisClientConfig.Builder client = DefaultJedisClientConfig.builder()
                .user(JedisURIHelper.getUser(uri))
                .password(JedisURIHelper.getPassword(uri))
                .database(JedisURIHelper.getDBIndex(uri))
                .connectionTimeoutMillis(PATIENCE_MILLIS)
                .socketTimeoutMillis(PATIENCE_MILLIS);
        boolean tls = JedisURIHelper.isRedisSSLScheme(uri);
        return tls ? client.sslOptions(SslOptions.defaults()).build() : client.build();
    }

    /** A few connections, without a thread that tests them. */
    private static ConnectionPoolConfig connections() {
        ConnectionPoolConfig connections = new ConnectionPoolConfig();
        connections.setMaxTotal(4);
        connections.setMaxWait(Duration.ofMillis(PATIENCE_MILLIS));
        connections.setTimeBetweenEvictionRuns(Duration.ofMillis(-1));
        return connections;
    }

    /** Takes a mark, or loses it, at once. */
    void add(Mark mark) {
        if (!waiting.offer(mark)) {
            lost.incrementAndGet();
        }
    }

    /** How many have been lost. */
    long lost() {
        return lost.get();
    }

    /**
     * The oldest of those that were recorded after {@code since}, at most a page; empty if Redis
     * does not answer.
     *
     * @param since empty for those of the latest {@code span}
     */
    Optional<MarkPage> after(Optional<MarkId> since, Duration span) {
        return asked(() -> {
            long nowMicros = nowMicros();
            MarkId from = since.orElseGet(() -> MarkId.before(nowMicros, span));
            return page(nowMicros, from, redis.xrange(key, "(" + from, "+", MarkPage.MOST));
        });
    }

    /**
     * The reply of Redis; empty if there is none. While it fails, one thread asks whether it is
     * back, and no other thread waits.
     */
    private <T> Optional<T> asked(Supplier<T> question) {
        boolean probes = failing;
        if (probes && !probing.compareAndSet(false, true)) {
            return Optional.empty();
        }
        try {
            if (probes && rests()) {
                return Optional.empty();
            }
            T answer = question.get();
            answered();
            return Optional.of(answer);
        } catch (RuntimeException failed) {
            rest(failed);
            return Optional.empty();
        } finally {
            if (probes) {
                probing.set(false);
            }
        }
    }

    private MarkPage page(long nowMicros, MarkId from, List<StreamEntry> entries) {
        String last = entries.isEmpty()
                ? from.toString()
                : entries.get(entries.size() - 1).getID().toString();
        List<Mark> marks =
                entries.stream().map(entry -> Mark.of(entry.getFields())).toList();
        boolean more = entries.size() == MarkPage.MOST;
        return new MarkPage(MarkPage.Source.SHARED, nowMicros, last, more, lost(), marks);
    }

    private long nowMicros() {
        List<String> time = redis.executeCommand(
                new CommandObject<>(new CommandArguments(Protocol.Command.TIME), BuilderFactory.STRING_LIST));
        return Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
    }

    private void write() {
        List<Mark> batch = new ArrayList<>(BATCH);
        try {
            while (!closed) {
                batch.add(waiting.take());
                waiting.drainTo(batch, BATCH - 1);
                if (asked(() -> written(batch)).isEmpty()) {
                    lost.addAndGet(batch.size());
                }
                batch.clear();
            }
        } catch (InterruptedException byClose) {
            // marks that have not been written are not worth a wait
        }
    }

    /** How many were written: all. */
    private int written(List<Mark> batch) {
        try (Pipeline pipeline = redis.pipelined()) {
            XAddParams bounded = XAddParams.xAddParams().maxLen(LENGTH).approximateTrimming();
            batch.forEach(mark -> pipeline.xadd(key, bounded, mark.fields()));
            pipeline.pexpire(key, KEPT_MILLIS);
            for (Object reply : pipeline.syncAndReturnAll()) {
                if (reply instanceof RuntimeException refused) {
                    throw refused;
                }
            }
            return batch.size();
        }
    }

    private boolean rests() {
        return System.nanoTime() - restsUntilNanos < 0;
    }

    private void answered() {
        if (failing) {
            failing = false;
            LOG.log(Level.INFO, "marks are recorded in Redis again");
        }
    }

    private void rest(RuntimeException reason) {
        restsUntilNanos = System.nanoTime() + REST_NANOS;
        if (!failing && !closed) {
            failing = true;
            LOG.log(
                    Level.WARNING,
                    "marks are not recorded in Redis, and each instance shows its own: {0}",
                    reason.getMessage());
        }
    }

    @Override
    public void close() {
        closed = true;
        writer.interrupt();
        try {
            writer.join(2L * PATIENCE_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        redis.close();
    }
}
