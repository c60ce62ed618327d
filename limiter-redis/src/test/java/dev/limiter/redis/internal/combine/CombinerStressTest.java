package dev.limiter.redis.internal.combine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.limiter.testkit.ChildJvm;
import dev.limiter.testkit.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Many threads share the combiner of one Redis while its connections are killed at random. No
 * caller gets another's reply, no call is executed twice, and no caller waits for ever.
 * {@code -Dload.seconds} sets the duration.
 */
@Tag("proof")
class CombinerStressTest {
    private static final String SECONDS = System.getProperty("load.seconds", "3");
    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

    /** Twice the deadline. */
    private static final long LONGEST_MILLIS = 2_000;

    @ParameterizedTest
    @CsvSource({"platform, 64, 0", "virtual, 256, 0", "virtual, 256, 1"})
    @Timeout(value = 5, unit = TimeUnit.MINUTES) // only so that a process that hangs does not hang the build
    void killedConnectionsHarmNoCaller(String kind, int threads, int parallelism) throws Exception {
        assumeTrue(
                kind.equals("platform") || Runtime.version().feature() >= FIRST_WITH_VIRTUAL_THREADS,
                "this JDK has no virtual threads");
        try (RedisServer redis = RedisServer.start()) {
            Process worker = start(redis.uri(), kind, threads, parallelism);
            try (BufferedReader out = worker.inputReader()) {
                assertThat(out.readLine()).isEqualTo("asking");
                int killed = killUntilItIsOver(redis, out);
                Map<String, String> report = report(out.readLine());
                System.out.printf(
                        "%d %s threads%s, %s s, connections killed %d times: %s%n",
                        threads, kind, parallelism == 1 ? " on one carrier" : "", SECONDS, killed, report);
                assertThat(worker.waitFor()).isZero();
                assertThat(report).containsEntry("wrong", "0").containsEntry("twice", "0");
                assertThat(report).containsEntry("stuck", "0").containsEntry("hot", "counted");
                assertThat(Long.parseLong(report.get("longestMillis")))
                        .isLessThan(LONGEST_MILLIS + Long.parseLong(report.get("machineMillis")));
                long unanswered = Long.parseLong(report.get("unanswered"));
                assertThat(unanswered).as("the kills were felt").isPositive();
                assertThat(Long.parseLong(report.get("asked")) - unanswered)
                        .as("answered, between the kills, too")
                        .isGreaterThan(killed);
            } finally {
                worker.destroyForcibly();
            }
        }
    }

    private static int killUntilItIsOver(RedisServer redis, BufferedReader out) throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        int killed = 0;
        while (!out.ready()) {
            redis.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
            killed++;
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(1_000, 100_000)));
        }
        return killed;
    }

    private static Map<String, String> report(String line) {
        Map<String, String> report = new HashMap<>();
        for (String figure : line.split(" ")) {
            report.put(figure.split("=")[0], figure.split("=")[1]);
        }
        return report;
    }

    private static Process start(String uri, String kind, int threads, int parallelism) throws IOException {
        List<String> command = ChildJvm.command();
        if (parallelism > 0) {
            command.add("-Djdk.virtualThreadScheduler.parallelism=" + parallelism);
            command.add("-Djdk.virtualThreadScheduler.maxPoolSize=" + parallelism);
        }
        command.addAll(List.of(StressWorker.class.getName(), uri, kind, Integer.toString(threads), SECONDS));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
