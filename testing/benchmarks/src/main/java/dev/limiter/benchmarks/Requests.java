package dev.limiter.benchmarks;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Requests of wrk, with the processor time of the server and of Redis. */
final class Requests implements Meter<Requests.Endpoint> {
    private static final Duration LEAST = Duration.ofSeconds(1);

    private final long redis;
    private final Output output;

    /**
     * @param callers how many different ones ask
     * @param rejects whether every response has to be a 429
     */
    record Endpoint(long pid, int port, String path, int connections, int callers, boolean rejects) {
        Wrk.Result load(Duration duration) {
            return load(connections, duration);
        }

        Wrk.Result loadAlone(Duration duration) {
            return load(1, duration);
        }

        private Wrk.Result load(int connections, Duration duration) {
            return Wrk.load("http://127.0.0.1:" + port + "/" + path, connections, callers, duration);
        }

        long unexpected(Wrk.Result result) {
            return rejects ? result.requests() - result.errors() : result.errors();
        }
    }

    /**
     * @param redis the number of its process
     */
    Requests(long redis, Output output) {
        this.redis = redis;
        this.output = output;
    }

    /** wrk counts in seconds; nothing is asked for less. */
    @Override
    public Map<String, Double> measure(Endpoint endpoint, Duration slice) {
        if (slice.compareTo(LEAST) < 0) {
            return Map.of();
        }
        double server = ProcessTime.micros(endpoint.pid());
        double ofRedis = ProcessTime.micros(redis);
        Wrk.Result result = endpoint.load(slice);
        server = ProcessTime.micros(endpoint.pid()) - server;
        ofRedis = ProcessTime.micros(redis) - ofRedis;
        if (endpoint.unexpected(result) > 0) {
            output.remark("HTTP: " + endpoint.path() + ": " + endpoint.unexpected(result) + " of " + result.requests()
                    + (endpoint.rejects() ? " were 2xx or 3xx" : " were neither 2xx nor 3xx"));
        }
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(Metric.REQUESTS, result.requestsPerSecond());
        figures.put(Metric.CPU, server / result.requests());
        figures.put(Metric.REDIS_CPU, ofRedis / result.requests());
        figures.put(Metric.P50, result.p50Micros());
        figures.put(Metric.P99, result.p99Micros());
        figures.put(Metric.ANSWERED, (double) result.requests());
        return figures;
    }
}
