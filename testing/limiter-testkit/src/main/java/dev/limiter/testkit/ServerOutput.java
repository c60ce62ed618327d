package dev.limiter.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what a server writes, so that its pipe never fills, and keeps the last lines for an error
 * message.
 *
 * <p>The server says itself when it is ready. A PING alone would not do: had another server taken
 * the port, that one would answer.
 */
final class ServerOutput {

    /**
     * The number in front of each line is the server's process id. A sentinel says its name, and
     * then is ready.
     */
    private static final Pattern READY =
            Pattern.compile("(\\d+):[A-Z] .*(?:Ready to accept connections|Sentinel ID is).*");

    private static final int LINES_KEPT = 50;

    private final Deque<String> tail = new ArrayDeque<>();
    private final CompletableFuture<OptionalLong> ready = new CompletableFuture<>();

    static ServerOutput of(InputStream in) {
        ServerOutput output = new ServerOutput();
        Thread reader = new Thread(() -> output.read(in), "redis-output");
        reader.setDaemon(true);
        reader.start();
        return output;
    }

    /**
     * The server's process id once it says that it is ready, empty once it has ended without
     * having said so.
     */
    CompletableFuture<OptionalLong> ready() {
        return ready;
    }

    synchronized String tail() {
        return String.join(System.lineSeparator(), tail);
    }

    private void read(InputStream in) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                keep(line);
                Matcher says = READY.matcher(line);
                if (says.matches()) {
                    ready.complete(OptionalLong.of(Long.parseLong(says.group(1))));
                }
            }
        } catch (IOException closed) {
            keep(closed.toString());
        } finally {
            ready.complete(OptionalLong.empty());
        }
    }

    private synchronized void keep(String line) {
        tail.addLast(line);
        if (tail.size() > LINES_KEPT) {
            tail.removeFirst();
        }
    }
}
