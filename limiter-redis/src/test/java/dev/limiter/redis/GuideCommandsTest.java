package dev.limiter.redis;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.guide.Guide;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the Redis commands of the guide on a real Redis. */
@Tag("store")
class GuideCommandsTest {

    @Test
    void redisTakesEveryCommand() {
        List<Guide.Block> blocks = Guide.blocks("redis");
        try (RedisServer redis = RedisServer.start()) {
            for (Guide.Block block : blocks) {
                // A command goes on where the next line is indented.
                for (String command : block.text().replaceAll("\n\\s+", " ").split("\n")) {
                    assertThatCode(() -> redis.command(command.split(" +")))
                            .as("%s: %s", block, command)
                            .doesNotThrowAnyException();
                }
            }
        }
        System.out.println("guide: redis took " + blocks.size() + " blocks of commands");
    }
}
