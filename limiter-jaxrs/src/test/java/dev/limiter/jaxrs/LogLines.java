package dev.limiter.jaxrs;

import java.text.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The lines that are logged while it is open, as {@code WARNING text}. */
public final class LogLines extends Handler implements AutoCloseable {
    private final Logger logger;
    private final List<String> lines = new ArrayList<>();

    public LogLines(String name) {
        logger = Logger.getLogger(name);
        logger.addHandler(this);
        logger.setUseParentHandlers(false);
    }

    /** The lines since the last call. */
    public List<String> taken() {
        List<String> taken = List.copyOf(lines);
        lines.clear();
        return taken;
    }

    @Override
    public void publish(LogRecord line) {
        Object[] parameters = line.getParameters();
        boolean plain = parameters == null || parameters.length == 0;
        lines.add(line.getLevel() + " "
                + (plain ? line.getMessage() : MessageFormat.format(line.getMessage(), parameters)));
    }

    @Override
    public void flush() {
        // nothing is kept back
    }

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(true);
    }
}
