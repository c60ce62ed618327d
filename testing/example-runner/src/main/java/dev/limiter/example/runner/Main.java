package dev.limiter.example.runner;

import java.io.IOException;
import java.io.InputStream;
import java.util.logging.LogManager;

/**
 * Starts the example, prints where it is, and runs until it is told to stop or its parent process
 * ends.
 *
 * <p>{@code java [-Dport=8080] [-Dlimiter.redis.uri=redis://host:port] ... Main
 * example-webapp.war}. What keeps it from starting is one line on standard error, and exit code 1.
 */
public final class Main {

    private static final int CANNOT_START = 1;
    private static final int ORPHANED = 2;

    private Main() {}

    public static void main(String[] arguments) {
        Example example = new Example();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(example), "stop"));
        ParentWatch.start(() -> exit(ORPHANED));
        try {
            logOneLineEach();
            String address = example.start(Options.read(arguments, System.getProperties()));
            System.out.println(welcome(address));
        } catch (CannotStartException reason) {
            System.err.println("limiter example: " + reason.getMessage());
            exit(CANNOT_START);
        } catch (RuntimeException | Error unexpected) {
            unexpected.printStackTrace();
            exit(CANNOT_START);
        }
    }

    private static void logOneLineEach() {
        try (InputStream settings = Main.class.getResourceAsStream("logging.properties")) {
            LogManager.getLogManager().readConfiguration(settings);
        } catch (IOException unreadable) {
            throw new CannotStartException("logging.properties cannot be read", unreadable);
        }
    }

    private static void stop(Example example) {
        try {
            example.close();
        } catch (RuntimeException failed) {
            System.err.println("limiter example: " + failed);
        }
    }

    /** The one place that ends this JVM; its shutdown hook stops what runs. */
    private static void exit(int code) {
        System.exit(code);
    }

    private static String welcome(String address) {
        return """

                The zoo is open at %1$s - look at its limits there in a browser; Ctrl-C closes it. Worth trying in a terminal:

                  curl -i -u member:member -X POST %1$sapi/tickets/penguins
                  for i in $(seq 12); do curl -s -o /dev/null -w '%%{http_code} ' %1$sapi/animals; done; echo
                  curl -i %1$sapi/strategies/uniform
                  for i in $(seq 12); do curl -s -u member:member %1$sapi/plan; echo; done
                  curl -N -H 'Content-Type: text/plain' -d 'Who is Ada?' %1$sapi/answers
                """.formatted(address);
    }
}
