package dev.limiter.benchmarks;

import dev.limiter.testkit.RedisServer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Measures as another meter does, and adds the cost on the server: time and calls from
 * {@code INFO commandstats}, round trips from the number of reads in {@code INFO stats}. A
 * script's time includes that of its commands.
 */
final class ServerCost<T> implements Meter<T> {
    private static final Pattern COMMAND = Pattern.compile("cmdstat_([^:]+):calls=(\\d+),usec=(\\d+)");
    private static final Pattern READS = Pattern.compile("total_reads_processed:(\\d+)");
    /** The reads of this class: for the first figures and for the last. */
    private static final int OWN_READS = 2;

    private final RedisServer redis;
    private final Meter<T> meter;

    ServerCost(RedisServer redis, Meter<T> meter) {
        this.redis = redis;
        this.meter = meter;
    }

    @Override
    public Map<String, Double> measure(T subject, Duration slice) {
        redis.command("CONFIG", "RESETSTAT");
        long readsBefore = reads();
        Map<String, Double> figures = new LinkedHashMap<>(meter.measure(subject, slice));
        String commands = (String) redis.command("INFO", "commandstats");
        long reads = reads() - readsBefore - OWN_READS;
        double checks = Math.max(1, figures.getOrDefault(Metric.ANSWERED, 0.0));
        figures.put(Metric.SERVER_MICROS, topLevel(commands, 3) / checks);
        figures.put(Metric.CALLS, topLevel(commands, 2) / checks);
        figures.put(Metric.TRIPS, Math.max(0, reads) / checks);
        return figures;
    }

    private long reads() {
        return READS.matcher((String) redis.command("INFO", "stats"))
                .results()
                .mapToLong(match -> Long.parseLong(match.group(1)))
                .sum();
    }

    /**
     * The sum over scripts if there are any, otherwise over all commands: commands inside a
     * script would count twice.
     */
    private static double topLevel(String commands, int group) {
        double scripts = sum(commands, group, true);
        return scripts > 0 ? scripts : sum(commands, group, false);
    }

    private static double sum(String commands, int group, boolean scripts) {
        return COMMAND.matcher(commands)
                .results()
                .filter(match -> isScript(match) == scripts && !isOurs(match))
                .mapToLong(match -> Long.parseLong(match.group(group)))
                .sum();
    }

    private static boolean isScript(MatchResult command) {
        return command.group(1).startsWith("eval");
    }

    private static boolean isOurs(MatchResult command) {
        return command.group(1).startsWith("config") || command.group(1).startsWith("info");
    }
}
