package dev.limiter.servers.war;

import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** The log of the server between PUT and DELETE, messages and errors, as formatted text. */
@Path("log")
public class LogResource {
    /** Held fast: a logger without a reference loses its handlers. */
    private static final Logger ROOT = Logger.getLogger("");

    private static final Captured CAPTURED = new Captured();

    @PUT
    public void begin() {
        ROOT.addHandler(CAPTURED);
        Logger.getLogger(LogResource.class.getName()).warning("the log begins");
    }

    @GET
    public String soFar() {
        return CAPTURED.text();
    }

    @DELETE
    public void end() {
        ROOT.removeHandler(CAPTURED);
    }

    private static final class Captured extends Handler {
        private final StringWriter text = new StringWriter();

        @Override
        public synchronized void publish(LogRecord line) {
            PrintWriter writer = new PrintWriter(text);
            writer.println(new SimpleFormatter().formatMessage(line));
            if (line.getThrown() != null) {
                line.getThrown().printStackTrace(writer);
            }
        }

        synchronized String text() {
            return text.toString();
        }

        @Override
        public void flush() {
            // nothing is kept back
        }

        @Override
        public void close() {
            // nothing to close
        }
    }
}
