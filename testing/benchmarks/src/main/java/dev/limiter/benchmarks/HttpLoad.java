package dev.limiter.benchmarks;

import dev.limiter.testkit.RedisServer;
import java.io.File;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Requests over HTTP to two servers. Only one of them has the limiter on its class path. A round
 * asks every endpoint, one after the other. The next round has the opposite order, so that no
 * endpoint always follows the same neighbour.
 */
final class HttpLoad {
    static final String LIMITED = "limited, admits";
    static final String GET = "one pooled GET";
    static final String REJECTED = "limited, 429";
    static final String REJECTED_AGAIN = "limited, 429, few callers";
    static final String UNPROTECTED = "unannotated";
    static final String WITHOUT = "without the library";
    /** A caller for each connection. They go on asking, so that their rejections are cached. */
    private static final int FEW = 64;

    private static final List<String> OPTIONS = List.of("-Xms256m", "-Xmx1g");

    private final Mode mode;
    private final Jdk jdk;
    private final Samples samples;

    HttpLoad(Mode mode, Jdk jdk, Samples samples) {
        this.mode = mode;
        this.jdk = jdk;
        this.samples = samples;
    }

    void run() {
        if (!Command.exists("wrk")) {
            samples.remark("HTTP: not run, there is no wrk on the PATH (Debian: apt install wrk)");
            return;
        }
        try (RedisServer redis = RedisServer.start();
                ChildJvm with = server(redis, ChildJvm.classPath());
                ChildJvm without = server(redis, withoutLimiter())) {
            int portWith = port(with);
            int portWithout = port(without);
            List<Endpoint> endpoints = List.of(
                    new Endpoint(LIMITED, portWith, "limited", mode.callers(), 0),
                    new Endpoint(GET, portWith, "get", mode.callers(), 0),
                    new Endpoint(REJECTED, portWith, "rejected", mode.callers(), 1),
                    new Endpoint(REJECTED_AGAIN, portWith, "rejected", FEW, 1),
                    new Endpoint(UNPROTECTED, portWith, "plain", mode.callers(), 0),
                    new Endpoint(WITHOUT, portWithout, "plain", mode.callers(), 0));
            // Warms both servers alike: the one without the library is asked each time that the
            // other is.
            Endpoint plain = endpoints.get(endpoints.size() - 1);
            for (Endpoint endpoint : endpoints.subList(0, endpoints.size() - 1)) {
                warm(endpoint);
                warm(plain);
            }
            for (int round = 0; round < mode.rounds(); round++) {
                for (int i = 0; i < endpoints.size(); i++) {
                    Endpoint endpoint = endpoints.get(round % 2 == 0 ? i : endpoints.size() - 1 - i);
                    add(endpoint, round, endpoint.load(mode.httpSlice()));
                }
            }
        } catch (IllegalStateException failed) {
            samples.remark("HTTP: " + failed.getMessage());
        }
    }

    /**
     * Until every caller has asked four times: once for a caller that may come once a day, and
     * for the compilers.
     */
    private void warm(Endpoint endpoint) {
        long requests = 0;
        while (requests < 4L * mode.callers()) {
            requests += endpoint.load(mode.httpSlice()).requests();
        }
    }

    private void add(Endpoint endpoint, int round, Wrk.Result result) {
        long unexpected = Math.abs(result.errors() - result.requests() * endpoint.errors());
        if (unexpected > 0) {
            samples.remark("HTTP: " + endpoint.name() + ", round " + (round + 1) + ": " + unexpected + " of "
                    + result.requests() + (endpoint.errors() == 0 ? " were neither 2xx nor 3xx" : " were 2xx or 3xx"));
        }
        sample(endpoint, Metric.REQUESTS, round, result.requestsPerSecond());
        sample(endpoint, Metric.P50, round, result.p50Micros());
        sample(endpoint, Metric.P99, round, result.p99Micros());
    }

    private void sample(Endpoint endpoint, String metric, int round, double value) {
        samples.add(new Sample(Series.HTTP, endpoint.name(), metric, round, value));
    }

    private ChildJvm server(RedisServer redis, String classPath) {
        return ChildJvm.start(List.of(), jdk, OPTIONS, classPath, HttpServer.class, List.of(redis.uri()));
    }

    private static int port(ChildJvm server) {
        for (String line = server.line(); line != null; line = server.line()) {
            if (line.startsWith(HttpServer.LISTENING)) {
                return Integer.parseInt(line.substring(HttpServer.LISTENING.length()));
            }
        }
        throw new IllegalStateException("a server did not start");
    }

    private static String withoutLimiter() {
        return Arrays.stream(ChildJvm.classPath().split(File.pathSeparator))
                .filter(entry -> !entry.matches(".*\\blimiter-(api|local|redis|jaxrs)\\b.*"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /**
     * @param callers how many different ones ask
     * @param errors the expected share of responses that are neither 2xx nor 3xx
     */
    private record Endpoint(String name, int port, String path, int callers, int errors) {
        Wrk.Result load(Duration duration) {
            return Wrk.load("http://127.0.0.1:" + port + "/" + path, callers, duration);
        }
    }
}
