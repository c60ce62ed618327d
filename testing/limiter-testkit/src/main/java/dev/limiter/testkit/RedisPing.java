package dev.limiter.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.SocketFactory;

/** Asks whether a Redis answers, over a plain socket and without any client library. */
public final class RedisPing {

    private static final int LONGEST_REPLY = 512;

    /**
     * The first characters of the replies of RESP2 and RESP3 to a simple command: a string, an
     * error.
     */
    private static final String REPLY_TYPES = "+-";

    private RedisPing() {}

    /**
     * Sends {@code PING} and returns the line that comes back: {@code +PONG}, or an error such as
     * {@code -NOAUTH ...}, which also shows that a Redis is there.
     *
     * @param sockets plain or TLS
     * @param patience for connecting, and again for each read; at least 1 ms
     * @throws IOException if nothing answers in time, or what answers does not speak Redis'
     *     protocol
     */
    public static String send(SocketFactory sockets, String host, int port, Duration patience) throws IOException {
        int millis = Math.toIntExact(patience.toMillis());
        try (Socket socket = sockets.createSocket()) {
            socket.connect(new InetSocketAddress(host, port), millis);
            socket.setSoTimeout(millis);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            String reply = readLine(socket.getInputStream());
            if (reply.isEmpty() || REPLY_TYPES.indexOf(reply.charAt(0)) < 0) {
                throw new IOException("what answers there is no Redis");
            }
            return reply;
        }
    }

    private static String readLine(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\r' && c != '\n' && line.length() < LONGEST_REPLY; c = in.read()) {
            line.append((char) c);
        }
        return line.toString();
    }
}
