package dev.limiter.redis.faults;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What is said about the store while it is open. */
final class LogLines extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger("dev.limiter.store");
    private final Formatter formatter = new SimpleFormatter();
    private final List<String> lines = new CopyOnWriteArrayList<>();

    LogLines() {
        logger.addHandler(this);
    }

    List<String> lines() {
        return lines;
    }

    @Override
    public void publish(LogRecord said) {
        lines.add(formatter.formatMessage(said));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
