package dev.limiter.redis.internal.combine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.limiter.testkit.ChildJvm;
import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.Stall;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A process is stopped and continued by turns, from its first call on. So is one that has used up
 * the processor time of its container, or that collects garbage. Its Redis goes on.
 */
@Tag("faults")
class StoppedProcessTest {
    private static final long DEADLINE_MILLIS = 150;
    private static final int RUNS = 3;

    private static final String STOP_AND_CONTINUE =
            "i=0; while [ $i -lt $1 ] && kill -STOP $0; do sleep $2; kill -CONT $0; sleep $3; i=$((i+1)); done";

    private final RedisServer redis = RedisServer.start();

    @AfterEach
    void close() {
        redis.close();
    }

    private final class Worker implements AutoCloseable {
        private final Process process;
        private final BufferedReader out;

        Worker(String kind, int threads, String seconds) throws IOException {
            process = StressWorker.start(redis.uri(), kind, threads, 0, seconds, DEADLINE_MILLIS, 0);
            out = process.inputReader();
            assertThat(out.readLine()).isEqualTo("asking");
        }

        /** Stops it for a time, and lets it run for a time, so often. */
        void stop(int times, String seconds, String apart) throws Exception {
            new ProcessBuilder(
                            "sh",
                            "-c",
                            STOP_AND_CONTINUE,
                            Long.toString(process.pid()),
                            Integer.toString(times),
                            seconds,
                            apart)
                    .start()
                    .waitFor();
        }

        Map<String, String> report() throws Exception {
            String report = out.readLine();
            System.out.println(report);
            assertThat(process.waitFor()).isZero();
            return ChildJvm.report(report);
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "platform, 8, 40, 0.075, 0.025",
        "platform, 64, 16, 0.2, 0.05",
        "platform, 64, 2, 0.4, 1.5",
        "platform, 8, 1, 2, 0",
        "virtual, 256, 40, 0.075, 0.025",
        "virtual, 256, 16, 0.2, 0.05",
        "virtual, 256, 2, 0.4, 1.5",
        "virtual, 256, 1, 2, 0",
    })
    void itsOwnDelaysAreNotHeldAgainstRedis(String kind, int threads, int times, String seconds, String apart)
            throws Exception {
        Map<String, String> report = Map.of();
        // Redis shares the processors, and may be late for once: then all once more.
        for (int run = 0; run < RUNS && !"0".equals(report.get("unanswered")); run++) {
            try (Stall machine = Stall.begin();
                    Worker worker = new Worker(kind, threads, "5")) {
                worker.stop(times, seconds, apart);
                report = worker.report();
                assertThat(report).containsEntry("wrong", "0").containsEntry("hot", "counted");
                assumeTrue(
                        machine.longestNanos() < TimeUnit.MILLISECONDS.toNanos(DEADLINE_MILLIS / 4),
                        "the machine is so busy that Redis is late, too");
            }
        }
        assertThat(report).containsEntry("unanswered", "0").containsEntry("openings", "0");
    }

    @ParameterizedTest
    @CsvSource({"platform, 8, 40, 0.075, 0.025", "platform, 64, 16, 0.2, 0.05"})
    void aRedisThatHangsIsNoticedMeanwhile(String kind, int threads, int times, String seconds, String apart)
            throws Exception {
        try (Worker worker = new Worker(kind, threads, "8")) {
            worker.stop(times / 4, seconds, apart);
            long paused = System.currentTimeMillis();
            redis.pause();
            worker.stop(times, seconds, apart);
            long resumed = System.currentTimeMillis();
            redis.resume();
            Map<String, String> report = worker.report();
            assertThat(report).doesNotContainEntry("openings", "0").containsEntry("twice", "0");
            long opened = Long.parseLong(report.get("openedAt"));
            System.out.printf("a Redis that hangs was noticed after %d ms%n", opened - paused);
            assertThat(opened).isBetween(paused, resumed);
        }
    }
}
