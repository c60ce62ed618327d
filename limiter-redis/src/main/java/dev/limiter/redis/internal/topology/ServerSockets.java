package dev.limiter.redis.internal.topology;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLSocket;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.SSLSocketWrapper;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Opens sockets to one server. Resolving its name and trying its addresses share the client's
 * time-out for connecting. Jedis' own factory waits that long for each address, and without
 * bound for the name.
 */
public final class ServerSockets implements JedisSocketFactory {
    private final HostAndPort server;
    private final JedisClientConfig client;
    private final HostNames names;
    private final LongSupplier nanos;

    /**
     * @param client the time-outs and TLS
     * @param nanos a clock that does not step, in ns
     */
    public ServerSockets(HostAndPort server, JedisClientConfig client, HostNames names, LongSupplier nanos) {
        this.server = server;
        this.client = client;
        this.names = names;
        this.nanos = nanos;
    }

    /**
     * @throws JedisConnectionException if there is no connection in time; it names the server
     *     and the reason
     */
    @Override
    public Socket createSocket() {
        long end = nanos.getAsLong() + TimeUnit.MILLISECONDS.toNanos(client.getConnectionTimeoutMillis());
        Socket socket = connected(addresses(end - nanos.getAsLong()), end);
        try {
            socket.setSoTimeout(client.getSocketTimeoutMillis());
            return client.getSslOptions() == null ? socket : secured(socket, client.getSslOptions());
        } catch (IOException | GeneralSecurityException | RuntimeException failed) {
            close(socket);
            throw notConnected(failed.toString(), failed);
        }
    }

    /**
     * Resolves the name.
     *
     * @throws JedisConnectionException if it has no address, or none is known in time
     */
    List<InetAddress> addresses(long waitNanos) {
        try {
            return new ArrayList<>(Arrays.asList(names.addresses(server.getHost(), waitNanos)));
        } catch (UnknownHostException unknown) {
            throw notConnected("the host name is unknown", unknown);
        } catch (TimeoutException late) {
            throw notConnected(
                    "the host name was not resolved within " + TimeUnit.NANOSECONDS.toMillis(waitNanos) + " ms", late);
        } catch (InterruptedException interrupted) {
            throw new JedisException("interrupted while the name of " + server + " was resolved", interrupted);
        }
    }

    /**
     * A socket to the first address that accepts. A silent address takes half of the remaining
     * time; the last address has all of it.
     */
    private Socket connected(List<InetAddress> addresses, long end) {
        Collections.shuffle(addresses);
        Set<String> reasons = new LinkedHashSet<>();
        IOException last = null;
        for (int i = 0; i < addresses.size(); i++) {
            // A part of a millisecond is time, too.
            long left = TimeUnit.NANOSECONDS.toMillis(end - nanos.getAsLong() + 999_999);
            if (left <= 0) {
                reasons.add("no time is left for " + (addresses.size() - i) + " of its addresses");
                break;
            }
            boolean isLast = i == addresses.size() - 1;
            try {
                return connected(addresses.get(i), (int) (isLast ? left : Math.max(1, left / 2)));
            } catch (IOException failed) {
                reasons.add(failed.getMessage());
                last = failed;
            }
        }
        throw notConnected(String.join("; ", reasons), last);
    }

    private Socket connected(InetAddress address, int millis) throws IOException {
        Socket socket = new PlainSocket();
        try {
            socket.setReuseAddress(true);
            socket.setKeepAlive(true);
            socket.setTcpNoDelay(true);
            socket.setSoLinger(
                    true, 0); // closing resets the connection: what the server has not read yet is not executed
            socket.connect(new InetSocketAddress(address, server.getPort()), millis);
            return socket;
        } catch (IOException failed) {
            close(socket);
            throw failed;
        }
    }

    private Socket secured(Socket socket, SslOptions tls) throws IOException, GeneralSecurityException {
        SSLSocket secured = (SSLSocket) tls.createSslContext()
                .getSocketFactory()
                .createSocket(socket, server.getHost(), server.getPort(), true);
        secured.setSSLParameters(tls.getSslParameters());
        return new PromptSocket(secured, socket);
    }

    private JedisConnectionException notConnected(String reason, Exception cause) {
        return new JedisConnectionException("no connection to " + server + ": " + reason, cause);
    }

    /** Whether a socket of this class has bytes that no thread has read. Any thread may ask. */
    static boolean hasBytes(Socket socket) throws IOException {
        Socket plain = socket instanceof PromptSocket secured ? secured.plain : socket;
        return plain instanceof PlainSocket own && own.unread() > 0;
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException closing) {
            // Nothing was sent on it.
        }
    }

    /**
     * Asks the system only once in {@value #LOOK_MICROS} µs for bytes that have come, otherwise it
     * says that there are none. A connection is asked before each request, and round trips in a
     * row need not pay for it.
     *
     * <p>If nothing was read for {@value #UNUSED_SECONDS} s, it counts the end of the connection
     * as bytes: proxies and Redis close what is not used. Only a read tells the end, and one that
     * finds the connection open takes a millisecond.
     */
    private final class PlainSocket extends Socket {
        private static final long LOOK_MICROS = 100;
        private static final long UNUSED_SECONDS = 1;

        /** Not of a stream: TLS reads by one, and what has come is asked of another. */
        private long looked = nanos.getAsLong();

        private long used = looked;

        int unread() throws IOException {
            return super.getInputStream().available();
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read(byte[] bytes, int from, int length) throws IOException {
                    int read = super.read(bytes, from, length);
                    used = nanos.getAsLong();
                    return read;
                }

                @Override
                public int available() throws IOException {
                    long now = nanos.getAsLong();
                    if (now - looked < TimeUnit.MICROSECONDS.toNanos(LOOK_MICROS)) {
                        return 0;
                    }
                    looked = now;
                    if (now - used < TimeUnit.SECONDS.toNanos(UNUSED_SECONDS)) {
                        return super.available();
                    }
                    int timeout = getSoTimeout();
                    setSoTimeout(1);
                    try {
                        super.read();
                        return 1; // and the connection is not used again
                    } catch (SocketTimeoutException open) {
                        setSoTimeout(timeout);
                        return 0;
                    }
                }
            };
        }
    }

    /**
     * Closes at once. A TLS socket sends an alert first, which blocks if the server does not
     * read.
     */
    private static final class PromptSocket extends SSLSocketWrapper {
        private final Socket plain;

        PromptSocket(SSLSocket secured, Socket plain) throws IOException {
            super(secured, plain);
            this.plain = plain;
        }

        @Override
        public synchronized void close() throws IOException {
            plain.close();
            super.close();
        }
    }
}
