package dev.limiter.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntFunction;

/**
 * A port of 127.0.0.1 on which no process listens, nor on the one 10,000 above it, where a cluster
 * node has its bus.
 *
 * <p>Both lie below 32768, from where Linux takes the ports of outgoing connections. So no
 * connection sits on the port of a server that is to be started again, and none that is opened to
 * a server that is down connects to itself.
 */
final class FreePort {

    private static final int LOWEST = 10_240;
    private static final int BUS_OFFSET = 10_000;
    private static final int BEHIND_HIGHEST = 32_768 - BUS_OFFSET;
    private static final int PORTS_TRIED = 200;
    private static final int STARTS_TRIED = 5;

    private FreePort() {}

    /**
     * Starts something on a free port, and on another one if another process was faster, up to
     * five times.
     *
     * @param start throws {@link PortTakenException} if the port is taken
     */
    static <T> T take(IntFunction<T> start) {
        for (int attempt = 1; ; attempt++) {
            try {
                return start.apply(pick());
            } catch (PortTakenException taken) {
                if (attempt == STARTS_TRIED) {
                    throw taken;
                }
            }
        }
    }

    /**
     * Free at this moment: until it is taken, another process may take it.
     *
     * @throws IllegalStateException if 200 ports, chosen at random, are all taken
     */
    private static int pick() {
        for (int attempt = 0; attempt < PORTS_TRIED; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, BEHIND_HIGHEST);
            if (isFree(port) && isFree(port + BUS_OFFSET)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port from " + LOWEST + " to " + (BEHIND_HIGHEST - 1));
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}
