package dev.limiter.queue.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.queue.QueueStorage;
import dev.limiter.testkit.guide.Guide;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The module ships the files in {@code lua/queue}. */
@Tag("store")
class QueueProgramsTest {
    private static final Path LUA = Guide.PROJECT.resolve("lua");

    private static List<String> all() {
        List<String> all = new ArrayList<>();
        for (QueueStorage form : QueueStorage.values()) {
            QueuePrograms scripts = QueuePrograms.of(form);
            all.addAll(
                    List.of(scripts.offer(), scripts.take(), scripts.acknowledge(), scripts.state(), scripts.stats()));
        }
        return all;
    }

    @Test
    void aProgramIsItsThreeFilesOneAfterTheOther() throws IOException {
        assertThat(QueuePrograms.of(QueueStorage.STREAM).take())
                .isEqualTo(Files.readString(LUA.resolve("queue/keys.lua"))
                        + Files.readString(LUA.resolve("queue/stream.lua"))
                        + Files.readString(LUA.resolve("queue/take.lua")));
    }

    /** Virtual time needs exactly one clock line in each program. */
    @Test
    void eachProgramAsksTheClockOnce() {
        assertThat(all())
                .allSatisfy(program -> assertThat(program.lines().filter(line -> line.contains("-- the clock line")))
                        .hasSize(1));
    }

    @Test
    void theCommandsOfQueuesAreDocumented() throws IOException {
        Matcher documented =
                Pattern.compile("Queues use `([A-Z\\s]+)`").matcher(Files.readString(LUA.resolve("README.md")));
        assertThat(documented.find()).isTrue();
        Set<String> words = Set.of(documented.group(1).toLowerCase(Locale.ROOT).split("\\s+"));
        Set<String> used = new TreeSet<>();
        for (String program : all()) {
            Pattern.compile("redis\\.call\\('([A-Z]+)'")
                    .matcher(program)
                    .results()
                    .forEach(call -> used.add(call.group(1).toLowerCase(Locale.ROOT)));
        }
        assertThat(words).isEqualTo(used);
    }
}
