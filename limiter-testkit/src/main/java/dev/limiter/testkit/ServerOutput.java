package dev.limiter.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;

/**
 * Reads what a server writes, so that its pipe never fills, and keeps the last lines for an error message.
 *
 * <p>The server says itself when it is ready. A PING alone would not do: had another server taken the port, that one
 * would answer.
 */
final class ServerOutput {

    private static final String READY = "Ready to accept connections";
    private static final int LINES_KEPT = 50;

    private final Deque<String> tail = new ArrayDeque<>();
    private final CompletableFuture<Boolean> ready = new CompletableFuture<>();

    static ServerOutput of(InputStream in) {
        ServerOutput output = new ServerOutput();
        Thread reader = new Thread(() -> output.read(in), "redis-output");
        reader.setDaemon(true);
        reader.start();
        return output;
    }

    /** True once the server says that it is ready, false once it has ended without having said so. */
    CompletableFuture<Boolean> ready() {
        return ready;
    }

    synchronized String tail() {
        return String.join(System.lineSeparator(), tail);
    }

    private void read(InputStream in) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                keep(line);
                if (line.contains(READY)) {
                    ready.complete(true);
                }
            }
        } catch (IOException closed) {
            keep(closed.toString());
        } finally {
            ready.complete(false);
        }
    }

    private synchronized void keep(String line) {
        tail.addLast(line);
        if (tail.size() > LINES_KEPT) {
            tail.removeFirst();
        }
    }
}
