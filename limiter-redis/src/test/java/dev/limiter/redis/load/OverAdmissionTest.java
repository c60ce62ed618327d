package dev.limiter.redis.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Policy;
import dev.limiter.model.Model;
import dev.limiter.redis.load.Load.Attempt;
import dev.limiter.testkit.ChildJvm;
import dev.limiter.testkit.RedisServer;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes of 32 threads share eight keys of one Redis. By the server's own clock, the
 * test checks every interval against the promise, and every single result against the model.
 */
@Tag("proof")
@Tag("store")
class OverAdmissionTest {
    private static final int PROCESSES = 3;
    private static final String SECONDS = System.getProperty("load.seconds", "3");

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES) // only so that a process that hangs does not hang the build
    void noIntervalHoldsMoreThanPromisedAndNothingIsLost(@TempDir Path logs) throws Exception {
        List<Process> workers = new ArrayList<>();
        try (RedisServer redis = RedisServer.start()) {
            for (int i = 0; i < PROCESSES; i++) {
                workers.add(start(redis.uri(), logs.resolve("log" + i)));
            }
            List<BufferedReader> answers =
                    workers.stream().map(Process::inputReader).toList();
            for (Policy policy : Load.POLICIES) {
                for (Process worker : workers) {
                    worker.getOutputStream().write('\n');
                    worker.getOutputStream().flush();
                }
                for (BufferedReader answer : answers) {
                    assertThat(answer.readLine()).isEqualTo("done " + policy.name());
                }
            }
            for (Process worker : workers) {
                assertThat(worker.waitFor()).isZero();
            }
        } finally {
            workers.forEach(Process::destroyForcibly);
        }
        judge(logs);
    }

    private static void judge(Path logs) throws IOException {
        List<DataInputStream> streams = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            streams.add(new DataInputStream(new BufferedInputStream(Files.newInputStream(logs.resolve("log" + i)))));
        }
        System.out.println();
        for (Policy policy : Load.POLICIES) {
            List<Attempt> attempts = new ArrayList<>();
            for (DataInputStream stream : streams) {
                read(stream, attempts);
            }
            Collections.sort(attempts);
            judge(policy, attempts);
        }
        for (DataInputStream stream : streams) {
            assertThat(stream.read()).isEqualTo(-1);
            stream.close();
        }
    }

    private static void judge(Policy policy, List<Attempt> attempts) {
        long violations = 0;
        long admitted = 0;
        for (int key = 0; key < Load.KEYS; key++) {
            long[] instants = instants(attempts, key);
            admitted += instants.length;
            violations += Intervals.violations(policy, instants);
        }
        long allowed = 0;
        Model model = new Model();
        for (Attempt attempt : attempts) {
            allowed += model.admits(Load.group(policy, attempt.key()), attempt.atMicros()) ? 1 : 0;
        }
        System.out.printf(
                "%s: %d JVMs x %d threads x %d keys, %s s: %,d asked, %,d admitted, %d violating intervals,"
                        + " %.2f %% of what the model allows%n",
                policy.name(),
                PROCESSES,
                Load.THREADS,
                Load.KEYS,
                SECONDS,
                attempts.size(),
                admitted,
                violations,
                100.0 * admitted / allowed);
        assertThat(attempts.stream().filter(attempt -> !attempt.admitted()).map(Attempt::key))
                .as("keys of %s that were asked for more than they had", policy)
                .contains(IntStream.range(0, Load.KEYS).boxed().toArray(Integer[]::new));
        assertThat(admitted).as("admitted by %s", policy).isPositive();
        assertThat(violations).as("violating intervals of %s", policy).isZero();
        assertThat(admitted).as("admissions of %s", policy).isBetween(allowed * 99 / 100, allowed);
    }

    private static long[] instants(List<Attempt> attempts, int key) {
        return attempts.stream()
                .filter(attempt -> attempt.key() == key && attempt.admitted())
                .mapToLong(attempt -> attempt.atMicros() + attempt.runAfterMicros())
                .sorted()
                .toArray();
    }

    private static Process start(String uri, Path log) throws IOException {
        return new ProcessBuilder(ChildJvm.command(LoadWorker.class.getName(), uri, SECONDS, log.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void read(DataInputStream log, List<Attempt> attempts) throws IOException {
        int count = log.readInt();
        for (int i = 0; i < count; i++) {
            attempts.add(new Attempt(log.readByte(), log.readLong(), log.readBoolean(), log.readLong()));
        }
    }
}
