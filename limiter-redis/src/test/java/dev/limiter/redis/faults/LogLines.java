package dev.limiter.redis.faults;

import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The warnings and errors that are logged while it is open. */
final class LogLines extends Handler implements AutoCloseable {
    private final Logger logger;
    private final List<String> lines = new CopyOnWriteArrayList<>();

    /** Lines about the store. */
    LogLines() {
        this("dev.limiter.store");
    }

    /** @param name of a logger; empty for all lines */
    LogLines(String name) {
        logger = Logger.getLogger(name);
        logger.addHandler(this);
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public void publish(LogRecord line) {
        if (line.getLevel().intValue() < Level.WARNING.intValue()) {
            return;
        }
        Object[] parameters = line.getParameters();
        boolean plain = parameters == null || parameters.length == 0;
        lines.add(plain ? line.getMessage() : MessageFormat.format(line.getMessage(), parameters));
    }

    @Override
    public void flush() {
        // nothing is kept back
    }

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
