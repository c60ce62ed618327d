package dev.limiter.jaxrs.internal.settings;

import static dev.limiter.Algorithm.GCRA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.limiter.Policy;
import dev.limiter.RateLimited;
import dev.limiter.jaxrs.LogLines;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.internal.declaration.PlanReader;
import dev.limiter.jaxrs.internal.policy.Limit;
import dev.limiter.jaxrs.internal.policy.Plan;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Settings;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.core.Application;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A file of settings that an operator changes while requests run. */
class WatchedFileTest {
    private static final String NOTHING = "# nothing\n";
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
    private final MapSettings settings = new MapSettings();
    private final List<String> problems = new ArrayList<>();
    private final LogLines log = new LogLines("dev.limiter.plan");

    @TempDir
    private Path directory;

    private Path file;

    interface Resource {
        @GET
        @RateLimited(name = "buyer", key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
        @RateLimited(name = "search", key = "{ip}", algorithm = GCRA, limit = 7, window = "10s")
        void buy();
    }

    @BeforeEach
    void name() {
        file = directory.resolve("limits.properties");
        settings.with("limiter.configuration.file", file.toString());
    }

    @AfterEach
    void closeLog() {
        log.close();
    }

    @Test
    void aChangeOfTheFileIsInForceAfterTwoSeconds() throws IOException {
        write("limiter.policy.buyer.limit=6\n");
        PolicyRegistry policies = policies();
        List<Limit> limits = read(policies);
        assertThat(limitOf(limits, 0)).isEqualTo(6);
        log.taken();
        write("# from now on\nlimiter.policy.buyer.limit = 50\nlimiter.policy.search.limit: 70\n");
        after(policies, Duration.ofSeconds(2).minusNanos(1));
        assertThat(limitOf(limits, 0)).isEqualTo(6);
        after(policies, Duration.ofNanos(1));
        assertThat(limitOf(limits, 0)).isEqualTo(50);
        assertThat(limitOf(limits, 1)).isEqualTo(70);
        assertThat(log.taken())
                .containsExactlyInAnyOrder(
                        "INFO The configuration of policy \"buyer\" is now [limit=50], was [limit=6]: GCRA 50 per 10s with"
                                + " burst 50",
                        "INFO The configuration of policy \"search\" is now [limit=70], was []: GCRA 70 per 10s with"
                                + " burst 70");
        write(NOTHING);
        after(policies, Duration.ofSeconds(2));
        assertThat(limitOf(limits, 0)).isEqualTo(5);
    }

    /** Some editors write it before the first character of a file in UTF-8. */
    @Test
    void aByteOrderMarkIsNoPartOfTheFirstName() throws IOException {
        write("\uFEFFlimiter.enabled=false\n");
        assertThat(policies().enabled()).isFalse();
    }

    /** As {@code mv} does it, and what mounts files into containers. */
    @Test
    void theFileCanBeReplacedByAnother() throws IOException {
        write(NOTHING);
        PolicyRegistry policies = policies();
        Path other = directory.resolve("other");
        Files.writeString(other, "limiter.enabled=false\n");
        Files.move(other, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        after(policies, Duration.ofSeconds(2));
        assertThat(policies.enabled()).isFalse();
    }

    @Test
    void whatTheFileHasIsTakenWhateverOtherSourcesSay() throws IOException {
        settings.with("limiter.policy.buyer.limit", "9").with("limiter.policy.search.limit", "9");
        write("limiter.policy.buyer.limit=50\nlimiter.policy.search.limit=\n");
        List<Limit> limits = read(policies());
        assertThat(limitOf(limits, 0)).isEqualTo(50);
        assertThat(limitOf(limits, 1)).as("blank is not set").isEqualTo(9);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``                              | is empty; if it has no settings, write a comment",
                "limiter.enabled=\\\\u12         | cannot be read as properties in UTF-8: IllegalArgumentException",
                "limiter.key-secret=${SECRET}    | has a \"${\" in limiter.key-secret, which nothing replaces there; write the"
                        + " value",
                "policy.buyer.limit=9            | has \"policy.buyer.limit\"; its names must begin with \"limiter.\"",
                "limiter.configuration.file=/a   | has limiter.configuration.file, which only the other sources can set;"
                        + " remove it",
                "limiter.enabled=true\\nlimiter.enabled=false | has twice: limiter.enabled; keep one of each",
            })
    void aFileThatCannotBeUsedFailsTheStartAndChangesNothingLater(String text, String why) throws IOException {
        String broken = "limiter.configuration.file: \"" + file + "\" " + why;
        String written = text.replace("\\\\", "\\").replace("\\n", "\n");
        write(written);
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(this::policies)
                .withMessage(broken);
        write("limiter.policy.buyer.limit=6\n");
        PolicyRegistry policies = policies();
        List<Limit> limits = read(policies);
        log.taken();
        write(written);
        for (int i = 0; i < 3; i++) {
            after(policies, Duration.ofSeconds(2));
            assertThat(limitOf(limits, 0)).isEqualTo(6);
            assertThat(policies.enabled()).isTrue();
        }
        assertThat(log.taken()).containsExactly("WARNING " + broken + "; the old settings stay");
        write("limiter.policy.buyer.limit=8\n");
        after(policies, Duration.ofSeconds(2));
        assertThat(limitOf(limits, 0)).isEqualTo(8);
    }

    @Test
    void aFileThatIsGoneOrNoTextOrHugeChangesNothing() throws IOException {
        write("limiter.policy.buyer.limit=6\n");
        PolicyRegistry policies = policies();
        List<Limit> limits = read(policies);
        log.taken();
        Files.delete(file);
        after(policies, Duration.ofSeconds(2));
        Files.write(file, "limiter.application=caf\u00e9".getBytes(StandardCharsets.ISO_8859_1));
        after(policies, Duration.ofSeconds(2));
        write("#".repeat(1_000_001));
        after(policies, Duration.ofSeconds(2));
        assertThat(limitOf(limits, 0)).isEqualTo(6);
        String broken = "WARNING limiter.configuration.file: \"" + file + "\" ";
        assertThat(log.taken())
                .containsExactly(
                        broken + "is not a file; the old settings stay",
                        broken
                                + "cannot be read as properties in UTF-8: MalformedInputException; the old settings stay",
                        broken + "has more than 1000000 bytes; the old settings stay");
    }

    /** Half of a change may be worse than none. */
    @Test
    void aFileWithOneValueThatCannotBeUsedChangesNothing() throws IOException {
        write(NOTHING);
        PolicyRegistry policies = policies();
        List<Limit> limits = read(policies);
        log.taken();
        write("limiter.policy.buyer.limit=50\nlimiter.policy.search.limit=seventy\nlimiter.enabled=false\n");
        settings.with("limiter.policy.buyer.window", "20s");
        after(policies, Duration.ofSeconds(2));
        after(policies, Duration.ofSeconds(2));
        assertThat(limitOf(limits, 0)).isEqualTo(5);
        assertThat(policies.enabled()).isTrue();
        assertThat(limits.get(0).policy().version().policy().window())
                .as("other sources go on")
                .isEqualTo(Duration.ofSeconds(20));
        assertThat(log.taken())
                .containsOnlyOnce(
                        "WARNING limiter.policy.search.limit: must be a whole number, was \"seventy\"; the old settings stay")
                .noneMatch(line -> line.contains("limit=50") || line.contains("is now false"));
    }

    @Test
    void anUnknownNameInTheFileIsReportedAndTheRestIsTaken() throws IOException {
        write(NOTHING);
        PolicyRegistry policies = policies();
        List<Limit> limits = read(policies);
        log.taken();
        write("limiter.policy.buyer.bursst=9\nlimiter.policy.buyer.limit=50\n");
        after(policies, Duration.ofSeconds(2));
        assertThat(limitOf(limits, 0)).isEqualTo(50);
        assertThat(log.taken())
                .contains(
                        "WARNING LIM05 limiter.policy.buyer.bursst: no such member of a policy; did you mean \"burst\"?");
    }

    @Test
    void whatIsReadAtTheStartOnlyIsSaidToBeSo() throws IOException {
        write(NOTHING);
        PolicyRegistry policies = policies();
        read(policies);
        log.taken();
        write("limiter.redis.deadline=1s\n");
        after(policies, Duration.ofSeconds(2));
        after(policies, Duration.ofSeconds(2));
        assertThat(log.taken())
                .containsExactly(
                        "WARNING limiter.redis.deadline has changed in the file of limiter.configuration.file; it is in"
                                + " force after the next start");
    }

    @Test
    void theFileHasAWholePath() {
        settings.with("limiter.configuration.file", "limits.properties");
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(this::policies)
                .withMessage(
                        "limiter.configuration.file: must be an absolute path, such as \"/etc/shop/limits.properties\", was"
                                + " \"limits.properties\"");
    }

    /** A pipe that nothing writes to is a file whose mount hangs, here for good. */
    @Test
    void requestsGoOnWhileTheFileHangsAndAnotherFileInItsPlaceIsRead() throws IOException, InterruptedException {
        write("limiter.policy.buyer.limit=6\n");
        PolicyRegistry policies = new PolicyRegistry(
                WatchedFile.over(settings, PATIENCE, Duration.ofMillis(1), nanos::get),
                Policy.DEFAULT_LEASE,
                nanos::get);
        List<Limit> limits = read(policies);
        log.taken();
        Files.delete(file);
        makePipe();
        // Opened for both directions, it waits for no other end, whatever the reader does.
        try (RandomAccessFile pipe = new RandomAccessFile(file.toFile(), "rw")) {
            assertTimeoutPreemptively(PATIENCE, () -> {
                for (int i = 0; i < 5; i++) {
                    after(policies, Duration.ofSeconds(2));
                    assertThat(limitOf(limits, 0)).isEqualTo(6);
                }
            });
            assertThat(log.taken())
                    .containsExactly("WARNING limiter.configuration.file: \"" + file
                            + "\" cannot be read now: its mount may hang; the old settings stay");
            await().untilAsserted(
                            () -> assertThat(readers()).as("threads that hang").isEqualTo(1));
            Files.move(file, directory.resolve("pipe"));
            write("limiter.policy.buyer.limit=50\n");
            assertTimeoutPreemptively(PATIENCE, () -> {
                while (limitOf(limits, 0) != 50) {
                    after(policies, Duration.ofSeconds(2));
                }
            });
            pipe.writeBytes("limiter.policy.buyer.limit=7\n"); // ends the reader that was given up
        }
        after(policies, Duration.ofSeconds(2));
        assertThat(limitOf(limits, 0)).isEqualTo(50);
    }

    private static long readers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("limiter-configuration"))
                .count();
    }

    @Test
    void aFileThatHangsFailsTheStart() throws IOException, InterruptedException {
        makePipe();
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> WatchedFile.over(settings, Duration.ofMillis(5), PATIENCE, nanos::get))
                .withMessage("limiter.configuration.file: \"" + file + "\" could not be read within 5ms");
        new RandomAccessFile(file.toFile(), "rw").close(); // ends its reader, if it has come so far
    }

    /** Such as a source that asks a database. */
    @Test
    void requestsGoOnWhileAnotherSourceHangs() throws IOException, InterruptedException {
        write(NOTHING);
        PolicyRegistry policies = policies();
        List<Limit> limits = read(policies);
        Files.delete(file);
        makePipe();
        settings.hangsIn(file);
        goesOn(policies::readAgainWhenDue);
        assertThat(limitOf(limits, 0)).isEqualTo(5);
    }

    /** While one thread reads, another does not wait for it, however late it is. */
    private void goesOn(Runnable request) throws IOException, InterruptedException {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
        Thread hanging = new Thread(request);
        hanging.start();
        OutputStream pipe = Files.newOutputStream(file); // opens when the pipe is read from
        try {
            settings.hangsIn(null);
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
            assertTimeoutPreemptively(PATIENCE, request::run);
        } finally {
            pipe.close();
        }
        hanging.join();
    }

    private void makePipe() throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();
    }

    private static Settings over(Settings settings) {
        return WatchedFile.over(settings, PATIENCE, PATIENCE, System::nanoTime);
    }

    private void write(String text) throws IOException {
        Files.writeString(file, text);
    }

    private PolicyRegistry policies() {
        return new PolicyRegistry(over(settings), Policy.DEFAULT_LEASE, nanos::get);
    }

    private List<Limit> read(PolicyRegistry policies) {
        Plan plan = new PlanReader(policies, Application.class)
                .read(Resource.class, Resource.class.getDeclaredMethods()[0], problems);
        assertThat(problems).isEmpty();
        return plan.limits();
    }

    private static long limitOf(List<Limit> limits, int which) {
        return limits.get(which).policy().version().policy().limit();
    }

    private void after(PolicyRegistry policies, Duration span) {
        nanos.addAndGet(TimeUnit.NANOSECONDS.convert(span));
        policies.readAgainWhenDue();
    }
}
