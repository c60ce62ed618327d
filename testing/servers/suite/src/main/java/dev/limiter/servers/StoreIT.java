package dev.limiter.servers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.testkit.ServerVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The Redis of every WAR is the store that the build names. */
class StoreIT {

    /** {@code target/store.txt} says on which version the suite ran. */
    @Test
    void theSharedServerIsTheStoreAndItsVersionIsRecorded() throws IOException {
        ServerVersion version = SharedRedis.version();
        Files.writeString(Path.of("target", "store.txt"), version.line() + System.lineSeparator());
        ServerVersion.expectedStore()
                .ifPresent(
                        name -> assertThat(version.store()).as(version.line()).isEqualTo(name));
    }
}
