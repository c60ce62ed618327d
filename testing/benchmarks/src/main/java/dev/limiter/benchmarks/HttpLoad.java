package dev.limiter.benchmarks;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.benchmarks.Requests.Endpoint;
import dev.limiter.benchmarks.contest.Competitor;
import dev.limiter.testkit.RedisServer;
import java.io.File;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Requests over HTTP. Each JVM compiles the same code in another way, so there are several servers,
 * which take turns from round to round.
 */
final class HttpLoad {
    static final String LIMITED = "limited, admits";
    static final String BY_HAND = "our script by hand";
    static final String REJECTED = "limited, 429";
    static final String REJECTED_AGAIN = "limited, 429, few callers";
    static final String UNPROTECTED = "unannotated";
    static final String WITHOUT = "without the library";

    private static final int CONNECTIONS = 64;
    /** A caller for each connection. They go on asking, so that their rejections are cached. */
    private static final int FEW = 64;

    /** Loads until all callers are rejected; more on a slow machine. */
    private static final int PATIENCE = 40;

    private static final Duration SLICE = Duration.ofSeconds(1);
    /** Longer than a turn of all callers, so that most rejections are cached, as in an attack. */
    private static final Duration ATTACK = Duration.ofSeconds(3);

    private static final List<String> OPTIONS = List.of("-Xms256m", "-Xmx1g");

    private final Mode mode;
    private final Jdk jdk;
    private final Samples samples;
    private final Output output;
    private final List<ChildJvm> servers = new ArrayList<>();

    HttpLoad(Mode mode, Jdk jdk, Samples samples) {
        this.mode = mode;
        this.jdk = jdk;
        this.samples = samples;
        this.output = new Output(line -> Output.read(line, samples));
    }

    void run() {
        if (!Command.exists("wrk")) {
            samples.remark("HTTP: not run, there is no wrk on the PATH (Debian: apt install wrk)");
            return;
        }
        try (RedisServer redis = RedisServer.start();
                RateLimiter limiter = Limiters.of(redis);
                Competitor fixed = new FixedLoad(redis)) {
            Policy policy =
                    Policy.of(LimitedResource.ADMITS, Algorithm.GCRA, LimitedResource.LIMIT, Duration.ofSeconds(1));
            String call = RecordedCall.of(redis, limiter, policy, "anyone").text();
            List<Endpoints> all = Stream.generate(() -> new Endpoints(server(redis, call), mode))
                    .limit(mode.jvms())
                    .toList();
            all.forEach(Endpoints::warm);
            all.forEach(Endpoints::rejectEveryCaller);
            run(redis, Series.HTTP, fixed, all.stream().map(Endpoints::ofMany).toList());
            run(
                    redis,
                    Series.HTTP_ALONE,
                    fixed,
                    all.stream().map(Endpoints::alone).toList());
        } catch (IllegalStateException failed) {
            samples.remark("HTTP: " + failed.getMessage());
        } finally {
            servers.forEach(ChildJvm::close);
        }
    }

    private void run(RedisServer redis, String series, Competitor fixed, List<List<Block<Endpoint>>> blocks) {
        ManyThreads crew = new ManyThreads(Crew.PLATFORM, 1);
        new Duels<>(
                        mode,
                        series,
                        new ServerCost<>(redis, new Requests(Server.pid(redis), output)),
                        () -> crew.measure(fixed, mode.calibrationSlice().multipliedBy(2))
                                .get(Metric.CHECKS),
                        output)
                .run(blocks, mode.httpRounds(), SLICE);
    }

    private Running server(RedisServer redis, String call) {
        List<String> arguments = new ArrayList<>(List.of(redis.uri(), call, jars(ClassPaths.limiter())));
        ClassPaths.before(ClassPaths.limiter()).ifPresent(before -> arguments.add(jars(before)));
        ChildJvm server = ChildJvm.start(
                List.of(), jdk, mode.options(OPTIONS), ClassPaths.without(), HttpServer.class, arguments);
        servers.add(server);
        for (String line = server.line(); line != null; line = server.line()) {
            if (line.startsWith(HttpServer.LISTENING)) {
                return new Running(server.pid(), Integer.parseInt(line.substring(HttpServer.LISTENING.length())));
            }
        }
        throw new IllegalStateException("a server did not start");
    }

    private static String jars(String classPath) {
        return classPath.replace(File.pathSeparatorChar, ';');
    }

    private record Running(long pid, int port) {}

    /** The applications of a server. */
    private record Endpoints(Running server, Mode mode) {

        /** By a single connection, in turns: many leave the compilers too little of two cores. */
        void warm() {
            for (int turn = 0; turn < mode.httpWarmUps(); turn++) {
                endpoints().forEach(endpoint -> endpoint.loadAlone(SLICE));
            }
        }

        /** All callers have had the only request that they have in a day. */
        void rejectEveryCaller() {
            endpoints().filter(Endpoint::rejects).forEach(endpoint -> {
                for (int tries = 0; endpoint.unexpected(endpoint.load(SLICE)) > 0; tries++) {
                    if (tries == PATIENCE) {
                        throw new IllegalStateException(endpoint.path() + " does not reject every caller");
                    }
                }
            });
        }

        private Stream<Endpoint> endpoints() {
            return ofMany().stream()
                    .flatMap(Block::contenders)
                    .map(Contender::subject)
                    .distinct();
        }

        List<Block<Endpoint>> ofMany() {
            Contender<Endpoint> limited = of(HttpServer.WITH, "limited", LIMITED, CONNECTIONS);
            Contender<Endpoint> plain = of(HttpServer.WITH, "plain", UNPROTECTED, CONNECTIONS);
            Contender<Endpoint> rejected = rejected(HttpServer.WITH, REJECTED);
            Contender<Endpoint> again = new Contender<>(
                    REJECTED_AGAIN,
                    new Endpoint(server.pid, server.port, HttpServer.WITH + "/rejected", CONNECTIONS, FEW, true));
            Contender<Endpoint> hand = of(HttpServer.WITHOUT, "hand", BY_HAND, CONNECTIONS);
            Block<Endpoint> unlimited =
                    Block.of(of(HttpServer.WITHOUT, "plain", WITHOUT, CONNECTIONS), plain, plain, plain);
            List<Block<Endpoint>> blocks = new ArrayList<>(List.of(
                    unlimited, Block.of(plain, rejected, again, rejected), unlimited, Block.of(limited, hand, hand)));
            if (ClassPaths.before(ClassPaths.limiter()).isPresent()) {
                blocks.add(Block.of(limited, of(HttpServer.BEFORE, "limited", Who.before(LIMITED), CONNECTIONS)));
                blocks.add(Block.of(plain, of(HttpServer.BEFORE, "plain", Who.before(UNPROTECTED), CONNECTIONS)));
                blocks.add(Block.of(rejected, rejected(HttpServer.BEFORE, Who.before(REJECTED))));
            }
            return blocks;
        }

        List<Block<Endpoint>> alone() {
            Contender<Endpoint> limited = of(HttpServer.WITH, "limited", LIMITED, 1);
            Contender<Endpoint> hand = of(HttpServer.WITHOUT, "hand", BY_HAND, 1);
            List<Block<Endpoint>> blocks = new ArrayList<>(List.of(Block.of(limited, hand, hand)));
            if (ClassPaths.before(ClassPaths.limiter()).isPresent()) {
                blocks.add(Block.of(limited, of(HttpServer.BEFORE, "limited", Who.before(LIMITED), 1)));
            }
            return blocks;
        }

        private Contender<Endpoint> of(String application, String path, String name, int connections) {
            return new Contender<>(
                    name,
                    new Endpoint(
                            server.pid, server.port, application + "/" + path, connections, mode.callers(), false));
        }

        private Contender<Endpoint> rejected(String application, String name) {
            return new Contender<>(
                    name,
                    new Endpoint(server.pid, server.port, application + "/rejected", CONNECTIONS, mode.callers(), true),
                    mode == Mode.SMOKE ? Duration.ZERO : ATTACK);
        }
    }
}
