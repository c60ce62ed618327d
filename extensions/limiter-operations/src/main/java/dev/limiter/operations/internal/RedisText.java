package dev.limiter.operations.internal;

import dev.limiter.PartitionKey;
import dev.limiter.internal.store.ScriptStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The text in Redis, by {@code lua/operations/exchange.lua}. */
final class RedisText implements SharedText {
    private static final String SCRIPT = script();
    private static final PartitionKey PLACE = PartitionKey.of("operations", "changes");
    private static final int MOST_BYTES_OF_REPORT = 2 * 1_024 * 1_024; // a connection reads no more
    private static final int EXPECTED_BYTES = 16;

    private final ScriptStore store;
    private final byte[] key;

    RedisText(ScriptStore store) {
        this.store = store;
        this.key = key("changes");
    }

    private byte[] key(String part) {
        return store.key("operations\0" + part + "\0" + 2, PLACE);
    }

    @Override
    public Found read(String version) {
        return run(key, 2 * Changes.MOST_BYTES, RedisText::found, "read", version);
    }

    @Override
    public Found write(String version, String text) {
        return run(key, 2 * Changes.MOST_BYTES, RedisText::found, "write", version, text);
    }

    @Override
    public void report(String asked, List<String> parts) {
        parts.forEach(part -> run(key("parts" + asked), EXPECTED_BYTES, reply -> null, "report", part));
    }

    @Override
    public List<String> reports(String asked) {
        List<String> reports = new ArrayList<>();
        String next = report(asked, 0);
        while (!next.isEmpty()) {
            reports.add(next);
            next = report(asked, reports.size());
        }
        return reports;
    }

    private String report(String asked, int index) {
        return run(
                key("parts" + asked),
                MOST_BYTES_OF_REPORT,
                reply -> text(reply.position(reply.position() + Double.BYTES)), // after the instant
                "reports",
                Integer.toString(index));
    }

    private <T> T run(byte[] place, int mostBytes, Function<ByteBuffer, T> reader, String... arguments) {
        List<byte[]> encoded = Stream.of(arguments)
                .map(each -> each.getBytes(StandardCharsets.UTF_8))
                .toList();
        return store.run(SCRIPT, List.of(place), encoded, EXPECTED_BYTES, mostBytes, reader);
    }

    private static Found found(ByteBuffer reply) {
        long now = millis(reply);
        return new Found(now, reply.get() == 1 ? Optional.empty() : Optional.of(text(reply)));
    }

    private static long millis(ByteBuffer reply) {
        return (long) reply.getDouble() / 1_000;
    }

    private static String text(ByteBuffer reply) {
        return StandardCharsets.UTF_8.decode(reply).toString();
    }

    private static String script() {
        String name = "/dev/limiter/operations/lua/exchange.lua";
        try (InputStream in = RedisText.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
