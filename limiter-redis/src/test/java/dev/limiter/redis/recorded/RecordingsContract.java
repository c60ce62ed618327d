package dev.limiter.redis.recorded;

import dev.limiter.testkit.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import redis.clients.jedis.RedisClient;

/** What holds for the recordings of each module. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class RecordingsContract {
    protected final Recordings recordings;
    private final RedisServer redis = RedisServer.start();
    private final RedisClient jedis = RedisClient.create(redis.uri());

    /** @param folder of the recordings, below the package of the library */
    protected RecordingsContract(String folder, Recordings.Players players) {
        recordings = new Recordings(Path.of("src/test/resources/dev/limiter", folder), jedis, players);
    }

    @AfterAll
    void stop() {
        jedis.close();
        redis.close();
    }

    @Test
    void thePresentBuildLeavesWhatTheLastFileSays() throws IOException {
        recordings.requireWritten();
    }

    @Test
    void whatEachReleaseLeftGoesOnToTheMicrosecond() throws IOException {
        for (Path release : recordings.releases()) {
            System.out.printf("%n%s: %d go on%n", release.getFileName(), recordings.requireGoneOn(release));
        }
    }
}
