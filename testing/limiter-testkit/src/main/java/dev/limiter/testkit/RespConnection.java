package dev.limiter.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.SocketFactory;

/**
 * One connection to a Redis on 127.0.0.1, which speaks RESP2 without any client library.
 *
 * <pre>{@code
 * try (RespConnection connection = RespConnection.open(redis.port(), Duration.ofSeconds(2))) {
 *     connection.call("SET", "k", "v");             // "OK"
 *     connection.call("INCR", "n");                 // "1"
 *     connection.call("LRANGE", "none", "0", "-1"); // List.of()
 *     connection.call("GET", "none");               // null
 * }
 * }</pre>
 *
 * <p>Not for use by several threads at a time.
 */
public final class RespConnection implements AutoCloseable {

    private final Socket socket;
    private final RespReader replies;

    private RespConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.replies = new RespReader(socket.getInputStream());
    }

    /**
     * Opens a plain connection.
     *
     * @param patience for connecting, and again for each read; at least 1 ms
     * @throws UncheckedIOException if no process listens there
     */
    public static RespConnection open(int port, Duration patience) {
        return open(SocketFactory.getDefault(), port, patience);
    }

    static RespConnection open(SocketFactory sockets, int port, Duration patience) {
        int millis = Math.toIntExact(patience.toMillis());
        Socket socket = null;
        try {
            socket = sockets.createSocket();
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress("127.0.0.1", port), millis);
            socket.setSoTimeout(millis);
            return new RespConnection(socket);
        } catch (IOException failed) {
            closeQuietly(socket);
            throw new UncheckedIOException("port " + port + ": " + failed.getMessage(), failed);
        }
    }

    /** Changes how long each read may take from now on; at least 1 ms. */
    void patience(Duration patience) {
        try {
            socket.setSoTimeout(Math.toIntExact(patience.toMillis()));
        } catch (IOException closed) {
            throw new UncheckedIOException(closed);
        }
    }

    /**
     * Sends one command and waits for its reply.
     *
     * @return text and numbers as {@code String}, lists as {@code List}, nil as {@code null}; an
     *     error inside a list, as {@code EXEC} may give, is an element of type
     *     {@link RedisErrorException}
     * @throws RedisErrorException if the reply is an error
     * @throws UncheckedIOException if no reply comes in time, or the connection ends: the command
     *     may have been executed
     */
    public Object call(String... words) {
        send(words);
        return receive();
    }

    /**
     * Sends one command and does not wait: as a client that hangs up, or whose server is paused.
     */
    public void send(String... words) {
        ByteArrayOutputStream command = new ByteArrayOutputStream();
        command.writeBytes(("*" + words.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
        for (String word : words) {
            byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
            command.writeBytes(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
            command.writeBytes(bytes);
            command.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
        }
        try {
            socket.getOutputStream().write(command.toByteArray());
            socket.getOutputStream().flush();
        } catch (IOException failed) {
            throw new UncheckedIOException(words[0] + " was not sent: " + failed.getMessage(), failed);
        }
    }

    /**
     * Waits for the reply to the oldest {@link #send} that has none yet; the rest as in
     * {@link #call}.
     */
    public Object receive() {
        try {
            Object reply = replies.read();
            if (reply instanceof RedisErrorException error) {
                throw error;
            }
            return reply;
        } catch (IOException failed) {
            throw new UncheckedIOException("no reply: " + failed.getMessage(), failed);
        }
    }

    @Override
    public void close() {
        closeQuietly(socket);
    }

    private static void closeQuietly(Socket socket) {
        if (socket == null) {
            return;
        }
        try {
            socket.close();
        } catch (IOException alreadyBroken) {
            // Nothing more is wanted from it.
        }
    }
}
