package dev.limiter.redis.internal.combine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.testkit.ChildJvm;
import dev.limiter.testkit.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
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
    private static final long DEADLINE_MILLIS = 1_000;

    /** Twice the deadline. */
    private static final long LONGEST_MILLIS = 2_000;

    @ParameterizedTest
    @CsvSource({"platform, 64, 0", "virtual, 256, 0", "virtual, 256, 1"})
    @Timeout(value = 5, unit = TimeUnit.MINUTES) // only so that a process that hangs does not hang the build
    void killedConnectionsHarmNoCaller(String kind, int threads, int parallelism) throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            Process worker = StressWorker.start(redis.uri(), kind, threads, parallelism, SECONDS, DEADLINE_MILLIS, 1);
            try (BufferedReader out = worker.inputReader()) {
                assertThat(out.readLine()).isEqualTo("asking");
                int killed = killUntilItIsOver(redis, out);
                Map<String, String> report = ChildJvm.report(out.readLine());
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
}
