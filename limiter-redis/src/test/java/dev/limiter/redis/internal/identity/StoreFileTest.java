package dev.limiter.redis.internal.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.limiter.testkit.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of certificates that are changed while the limiter runs. */
@Tag("store")
class StoreFileTest {
    private static RedisServer one;
    private static RedisServer two;

    @TempDir
    Path directory;

    private Path file;
    private final List<String> log = new ArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            log.add(line.getMessage() + List.of(line.getParameters()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeAll
    static void start() {
        one = RedisServer.startWithTls();
        two = RedisServer.startWithTls();
    }

    @AfterAll
    static void stop() {
        one.close();
        two.close();
    }

    @BeforeEach
    void listen() throws IOException {
        Logger.getLogger("dev.limiter.store").addHandler(handler);
        file = Files.copy(one.keyStore(), directory.resolve("mine.p12"));
    }

    @AfterEach
    void close() {
        Logger.getLogger("dev.limiter.store").removeHandler(handler);
    }

    private StoreFile opened() {
        return new StoreFile(file.toString(), one.trustStorePassword(), true);
    }

    private static byte[] bytes(StoreFile file) throws IOException {
        return file.get().readAllBytes();
    }

    @Test
    void whatIsOnDiskIsTaken() throws IOException {
        StoreFile opened = opened();
        assertThat(bytes(opened)).isEqualTo(Files.readAllBytes(one.keyStore()));
        Files.copy(two.keyStore(), file, StandardCopyOption.REPLACE_EXISTING);
        assertThat(bytes(opened)).isEqualTo(Files.readAllBytes(two.keyStore()));
        assertThat(log).isEmpty();
    }

    /** As {@code mv} and {@code cp -p} do it. */
    @Test
    void anotherFileOfTheSameTimeIsTaken() throws IOException {
        StoreFile opened = opened();
        FileTime time = Files.getLastModifiedTime(file);
        Path next = Files.copy(two.keyStore(), directory.resolve("next.p12"));
        Files.setLastModifiedTime(next, time);
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        assertThat(bytes(opened)).isEqualTo(Files.readAllBytes(two.keyStore()));
    }

    @Test
    void aHalfWrittenFileLeavesTheOneBeforeInForceAndIsLoggedOnceEachTime() throws IOException {
        StoreFile opened = opened();
        byte[] whole = Files.readAllBytes(two.keyStore());
        byte[] half = Arrays.copyOf(whole, whole.length / 2);
        Files.write(file, half);
        for (int connection = 0; connection < 3; connection++) {
            assertThat(bytes(opened)).isEqualTo(Files.readAllBytes(one.keyStore()));
        }
        assertThat(log).singleElement().asString().contains(file.toString()).doesNotContain(one.trustStorePassword());
        Files.write(file, whole);
        assertThat(bytes(opened)).isEqualTo(whole);
        Files.write(file, half);
        assertThat(bytes(opened)).isEqualTo(whole);
        assertThat(log).hasSize(2);
        assertThat(log.get(1)).isEqualTo(log.get(0));
        Files.delete(file);
        assertThat(bytes(opened)).isEqualTo(whole);
        assertThat(log).hasSize(3);
        assertThat(log.get(2)).contains("there is no such file");
    }

    @Test
    void aFileWithoutWhatItIsForIsRefused() throws IOException {
        String trust = one.trustStore().toString();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StoreFile(trust, one.trustStorePassword(), true))
                .withMessage('"' + trust + "\" cannot be read as a store of a key and its certificate:"
                        + " it holds no private key");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StoreFile(file.toString(), "guessed", true))
                .withMessageContaining("password was incorrect")
                .withMessageNotContaining("guessed");
        Files.write(file, new byte[0]);
        assertThatIllegalArgumentException()
                .isThrownBy(this::opened)
                .withMessageContaining(file.toString())
                .withMessageNotContaining("null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StoreFile(directory.toString(), "", false))
                .withMessageContaining("store of certificates");
    }
}
