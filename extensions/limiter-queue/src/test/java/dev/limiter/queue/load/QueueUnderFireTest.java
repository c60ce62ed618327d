package dev.limiter.queue.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.limiter.RateLimiter;
import dev.limiter.queue.BoundedQueue;
import dev.limiter.queue.BoundedQueues;
import dev.limiter.queue.Delivery;
import dev.limiter.queue.EntryState;
import dev.limiter.queue.QueueStorage;
import dev.limiter.testkit.ChildJvm;
import dev.limiter.testkit.RedisServer;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Three processes with 48 producers and 12 consumers share a queue of 10, then of 4, while one of
 * them is killed. The capacity is never exceeded, no entry is lost, and each entry is processed
 * and acknowledged once. {@code -Dload.seconds} sets the duration.
 */
@Tag("proof")
class QueueUnderFireTest {
    private static final int PROCESSES = 3;
    private static final long WIDE = 10;
    private static final long TIGHT = 4;
    private static final long PART_MILLIS = (long) (Double.parseDouble(System.getProperty("load.seconds", "3")) * 500);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource
    void nothingIsLostAndNothingIsTooMuch(QueueStorage form) throws Exception {
        List<Process> workers = new ArrayList<>();
        try (RedisServer redis = RedisServer.start();
                RateLimiter limiter = QueueWorker.limiter(redis.uri())) {
            BoundedQueue queue = BoundedQueues.of(limiter).queue(QueueWorker.policy(form, WIDE));
            for (int i = 0; i < PROCESSES; i++) {
                workers.add(start(redis.uri(), form, i));
            }
            await().atMost(PATIENCE).until(this::allAreAtWork);
            Process killed = workers.get(0);
            watch(queue, WIDE);
            killed.destroyForcibly().waitFor(); // SIGKILL: its consumers keep their entries until the holds end
            List<Process> left = workers.subList(1, PROCESSES);
            tell(left, Long.toString(TIGHT));
            await().atMost(PATIENCE).until(this::allOfferUnderTheTightOne);
            await().atMost(PATIENCE).until(() -> queue.stats().length() <= TIGHT);
            watch(queue, TIGHT);
            tell(left, "enough");
            await().atMost(PATIENCE).until(() -> queue.stats().length() == 0);
            for (Process worker : left) {
                worker.getOutputStream().close();
                assertThat(worker.waitFor()).isZero();
            }
            assertEveryEntryWentItsWay(queue, form);
        } finally {
            workers.forEach(Process::destroyForcibly);
        }
    }

    /** No reading is above the capacity. */
    private static void watch(BoundedQueue queue, long capacity) {
        long end = System.nanoTime() + Duration.ofMillis(PART_MILLIS).toNanos();
        while (System.nanoTime() < end) {
            assertThat(queue.stats().length()).isLessThanOrEqualTo(capacity);
        }
    }

    private void assertEveryEntryWentItsWay(BoundedQueue queue, QueueStorage form) throws IOException {
        List<String> accepted = new ArrayList<>();
        List<String> acknowledged = new ArrayList<>();
        Set<String> processed = new HashSet<>();
        long fullest = 0;
        long refused = 0;
        for (int i = 0; i < PROCESSES; i++) {
            for (String line : lines(i)) {
                String[] words = line.split(" ");
                switch (words[0]) {
                    case "accepted" -> {
                        accepted.add(words[1]);
                        fullest = Math.max(fullest, Long.parseLong(words[3]));
                        assertThat(Long.parseLong(words[3])).as(line).isLessThanOrEqualTo(Long.parseLong(words[2]));
                    }
                    case "under" -> {}
                    case "refused" -> refused++;
                    case "processed" -> processed.add(words[1]);
                    case "acknowledged" -> acknowledged.add(words[1]);
                    default -> throw new AssertionError("process " + i + " said " + line);
                }
            }
        }
        assertThat(accepted).doesNotHaveDuplicates();
        assertThat(acknowledged).as("each acknowledged once").doesNotHaveDuplicates();
        assertThat(processed).as("each processed at least once").containsAll(accepted);
        Set<String> unheard = new HashSet<>(accepted);
        acknowledged.forEach(unheard::remove);
        assertThat(unheard)
                .as("what the one that was killed has acknowledged without a word")
                .hasSizeLessThanOrEqualTo(QueueWorker.CONSUMERS);
        assertThat(unheard).allSatisfy(id -> {
            assertThat(queue.state(id)).isEqualTo(EntryState.DONE);
            assertThat(queue.acknowledge(new Delivery(id, "", 1))).isFalse();
        });
        assertThat(fullest).as("the capacity was reached").isEqualTo(WIDE);
        assertThat(refused).isPositive();
        System.out.printf(
                "%s under fire: %,d offers of 48 producers accepted and %,d refused, %,d acknowledged once each, %d by the killed"
                        + " one without a word; never more than %d, then %d%n",
                form, accepted.size(), refused, acknowledged.size(), unheard.size(), WIDE, TIGHT);
    }

    private boolean allAreAtWork() throws IOException {
        boolean all = true;
        for (int i = 0; i < PROCESSES; i++) {
            all &= lines(i).stream().anyMatch(line -> line.startsWith("acknowledged"));
        }
        return all;
    }

    /** Waits until no producer can offer under the wider capacity any more. */
    private boolean allOfferUnderTheTightOne() throws IOException {
        boolean all = true;
        for (int i = 1; i < PROCESSES; i++) {
            all &= lines(i).stream()
                            .filter(line -> line.equals("under " + TIGHT))
                            .count()
                    == QueueWorker.PRODUCERS;
        }
        return all;
    }

    private static void tell(List<Process> workers, String order) {
        for (Process worker : workers) {
            new PrintStream(worker.getOutputStream(), true).println(order);
        }
    }

    /** Whole lines: the last one of a process that was killed may be half a line. */
    private List<String> lines(int worker) throws IOException {
        String said = Files.readString(log(worker));
        return said.substring(0, said.lastIndexOf('\n') + 1).lines().toList();
    }

    private Path log(int worker) {
        return directory.resolve("worker-" + worker + ".log");
    }

    private Process start(String uri, QueueStorage form, int number) throws IOException {
        return new ProcessBuilder(ChildJvm.command(QueueWorker.class.getName(), uri, form.name(), Long.toString(WIDE)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(log(number).toFile())
                .start();
    }
}
