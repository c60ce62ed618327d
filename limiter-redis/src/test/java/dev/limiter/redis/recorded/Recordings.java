package dev.limiter.redis.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.redis.internal.script.VirtualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import redis.clients.jedis.UnifiedJedis;

/**
 * The recordings of a module, a file for each release. The last file is what the present build
 * writes; a release makes it final. From each file the present build must go on.
 *
 * <p>{@code -Drecorded=write} runs the calls of the last file anew and writes states and answers.
 */
public final class Recordings {
    private final Path folder;
    private final UnifiedJedis jedis;
    private final Players players;
    private final VirtualKeys keys;

    /** Makes a player with a limiter in virtual time, as the headers of a recording say. */
    @FunctionalInterface
    public interface Players {
        /** @param headers of the recording; its name is that of the policy or the queue */
        Player of(String name, Map<String, String> headers, VirtualTime time);
    }

    /**
     * @param folder of the module
     * @param jedis a Redis that may be emptied
     */
    public Recordings(Path folder, UnifiedJedis jedis, Players players) {
        this.folder = folder;
        this.jedis = jedis;
        this.players = players;
        this.keys = new VirtualKeys(jedis);
    }

    /** The files, the present build's last. */
    public List<Path> releases() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    /** All calls of the last file. */
    public List<String> calls() throws IOException {
        return Recording.readAll(Files.readAllLines(last())).stream()
                .flatMap(recording -> Stream.concat(recording.before().stream(), recording.after().stream()))
                .map(Step::call)
                .toList();
    }

    /** The present build leaves what the last file says, byte for byte, or writes the file. */
    public void requireWritten() throws IOException {
        List<String> expected = Files.readAllLines(last());
        List<String> written = new ArrayList<>();
        expected.stream().takeWhile(line -> !line.startsWith(Recording.NAME)).forEach(written::add);
        for (Recording recording : Recording.readAll(expected)) {
            written.addAll(recorded(recording).lines());
        }
        if (System.getProperty("recorded", "").equals("write")) {
            Files.write(last(), written);
        } else {
            assertThat(written).as("%s is no longer what is written", last()).containsExactlyElementsOf(expected);
        }
    }

    /** The present build goes on from each state of a file as the release would have. */
    public int requireGoneOn(Path release) throws IOException {
        List<Recording> recordings = Recording.readAll(Files.readAllLines(release));
        for (Recording recording : recordings) {
            Run run = new Run(recording, players);
            recording.before().stream()
                    .filter(step -> step.call().startsWith("under "))
                    .forEach(step -> run.player.call(step.call()));
            run.time.move(recording.atMicros());
            recording.keys().forEach(line -> keys.load(line, recording.atMicros()));
            assertThat(recording.keys())
                    .as("keys that this build looks for, of %s in %s", recording.name(), release)
                    .allMatch(line -> run.player.names(line.substring(0, line.indexOf(' '))));
            assertThat(keys.contents(recording.atMicros()))
                    .as("keys as they were loaded, of %s", recording.name())
                    .isEqualTo(recording.keys());
            assertThat(run.answered(recording.after()).stream().map(Step::line))
                    .as("what follows in %s of %s", recording.name(), release)
                    .containsExactlyElementsOf(
                            recording.after().stream().map(Step::line).toList());
        }
        return recordings.size();
    }

    /** Other limiters than the recorded ones give the answers of the last file. */
    public void requireAnswers(Players others) throws IOException {
        for (Recording recording : Recording.readAll(Files.readAllLines(last()))) {
            Run run = new Run(recording, others);
            List<Step> steps = new ArrayList<>(recording.before());
            steps.addAll(recording.after());
            assertThat(run.answered(steps).stream().map(Step::line))
                    .as("what others answer in %s", recording.name())
                    .containsExactlyElementsOf(steps.stream().map(Step::line).toList());
        }
    }

    private Path last() throws IOException {
        List<Path> releases = releases();
        return releases.get(releases.size() - 1);
    }

    private Recording recorded(Recording recording) {
        Run run = new Run(recording, players);
        List<Step> before = run.answered(recording.before());
        long at = run.time.micros();
        List<String> contents = keys.contents(at);
        return new Recording(
                recording.name(), recording.headers(), before, at, contents, run.answered(recording.after()));
    }

    /** An empty Redis, and the limiter that is asked. */
    private final class Run {
        private final VirtualTime time = new VirtualTime(jedis, VirtualKeys.PRELUDE);
        private final Player player;
        private String last = "";

        Run(Recording recording, Players players) {
            jedis.flushAll();
            time.move(Long.parseLong(recording.header("begin", Long.toString(time.micros()))));
            player = players.of(recording.name(), recording.headers(), time);
        }

        private List<Step> answered(List<Step> steps) {
            List<Step> answered = new ArrayList<>();
            for (Step step : steps) {
                long later = step.laterMicros(last);
                for (int i = 0; i < step.times(); i++) {
                    time.advance(later);
                    keys.expire(time.micros());
                    last = player.call(step.call().replace("#", Integer.toString(i)));
                }
                answered.add(step.answered(later, last));
            }
            return answered;
        }
    }
}
