package dev.limiter.servers;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * What deployments say of their limits while it is open; nothing where the server is another
 * process.
 */
final class PlanLog extends Handler implements AutoCloseable {
    private static final Logger LOGGER = Logger.getLogger("dev.limiter.plan");

    private final List<String> lines = new CopyOnWriteArrayList<>();

    PlanLog() {
        LOGGER.addHandler(this);
    }

    String text() {
        return String.join("\n", lines);
    }

    @Override
    public void publish(LogRecord line) {
        lines.add(new SimpleFormatter().formatMessage(line));
    }

    @Override
    public void flush() {
        // nothing is kept back
    }

    @Override
    public void close() {
        LOGGER.removeHandler(this);
    }
}
