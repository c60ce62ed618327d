package dev.limiter.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClassPathsTest {
    private static final String PRESENT =
            "/now/limiter-api/target/limiter-api-1.jar:/lib/jedis.jar:/now/limiter-redis/target/limiter-redis-1.jar";

    @TempDir
    Path folder;

    @Test
    void anEarlierBuildTakesThePlaceOfThePresentOneOnly() throws IOException {
        Path api = jar("limiter-api/target/limiter-api-1.jar");
        Path redis = jar("limiter-redis/target/limiter-redis-1.jar");
        assertThat(ClassPaths.before(PRESENT, folder.toString())).contains(api + ":/lib/jedis.jar:" + redis);
    }

    @Test
    void aFolderWithoutTheBuildIsRefused() {
        assertThatThrownBy(() -> ClassPaths.before(PRESENT, folder.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("there is no " + folder.resolve("limiter-api/target/limiter-api-1.jar"));
    }

    @Test
    void withoutAFolderThereIsNoEarlierBuild() {
        assertThat(ClassPaths.before(PRESENT, "")).isEmpty();
    }

    private Path jar(String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.createFile(file);
    }
}
