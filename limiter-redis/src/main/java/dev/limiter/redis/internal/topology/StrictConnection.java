package dev.limiter.redis.internal.topology;

import dev.limiter.redis.internal.identity.ChangingCredentials;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.pool2.TrackedUse;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.PushConsumerChain;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.RedisInputStream;

/**
 * A connection that trusts no length: Jedis allocates whatever a corrupt reply names. It also
 * knows of bytes that no request has asked for. They would be taken for the reply to the next
 * request, and each later caller would get the decision of the caller before. If its credentials
 * change, it tells Redis the newer ones.
 */
final class StrictConnection extends Connection implements TrackedUse {
    /** Twice the longest payload of a queue, which is the longest reply. */
    private static final int MOST_BYTES = 1 << 21;

    /** More than the groups of a call, and the commands that a user may not run. */
    private static final int MOST_ELEMENTS = 1_024;

    private static final int DEEPEST = 4;

    private final ChangingCredentials credentials;
    private final OwnSocket socket;
    private RedisInputStream replies;

    /** What Redis was told last; null if the credentials do not change. */
    private ChangingCredentials.Known told;

    private long lastUsedMillis;

    /** Whether its answer to that has not been read. */
    private boolean awaitsAnswer;

    private StrictConnection(Builder builder, OwnSocket socket) {
        super(builder);
        this.credentials = builder.credentials;
        this.socket = socket;
    }

    /** Makes connections of this class. */
    static final class Builder extends Connection.Builder {
        private final ChangingCredentials credentials;

        /** @param credentials null if they do not change */
        Builder(ChangingCredentials credentials) {
            this.credentials = credentials;
        }

        @Override
        protected Connection createConnection() {
            OwnSocket socket = new OwnSocket(getSocketFactory());
            Builder own = new Builder(credentials);
            own.socketFactory(socket).clientConfig(getClientConfig());
            return new StrictConnection(own, socket);
        }
    }

    /** Remembers the socket of a connection, which Jedis keeps to itself. */
    private static final class OwnSocket implements JedisSocketFactory {
        private final JedisSocketFactory sockets;
        private volatile Socket last;

        OwnSocket(JedisSocketFactory sockets) {
            this.sockets = sockets;
        }

        @Override
        public Socket createSocket() {
            last = sockets.createSocket();
            return last;
        }
    }

    /**
     * Is called before the connection is opened with the newest credentials.
     *
     * @throws JedisConnectionException if there are none yet
     */
    void authenticatesWithNewest() {
        if (credentials != null) {
            told = credentials.newest(); // if newer ones come meanwhile, they are told twice
        }
    }

    /**
     * Writes newer credentials, if there are some, to be sent with the next command. Redis reads
     * them before that command. If it refuses them, the connection remains what it was.
     */
    void authenticateWithNextCommand() {
        ChangingCredentials.Known newest = credentials == null ? null : credentials.newest();
        if (newest == told || awaitsAnswer) {
            return;
        }
        told = newest;
        CommandArguments auth = new CommandArguments(Protocol.Command.AUTH);
        if (told.getUser() != null) {
            auth.add(told.getUser());
        }
        sendCommand(auth.add(told.credentials().password()));
        awaitsAnswer = true;
    }

    void use() {
        lastUsedMillis = System.currentTimeMillis();
    }

    /** For the pool, which does not see each use. */
    @Override
    @SuppressWarnings("deprecation") // it has no default
    public long getLastUsed() {
        return lastUsedMillis;
    }

    /** Whether it can be used again as it is. If bytes have come, it never can. */
    boolean isReady() {
        if (!isSilent()) {
            setBroken(); // the next look may be too soon to see them
            return false;
        }
        return credentials == null || credentials.newest() == told && !awaitsAnswer;
    }

    /** Sends credentials that were written, without a command. */
    void authenticateNow() {
        if (awaitsAnswer) {
            flush();
            readAnswer();
        }
    }

    private void readAnswer() {
        awaitsAnswer = false;
        try {
            readProtocolWithCheckingBroken();
        } catch (JedisDataException refusal) {
            credentials.refused(told, refusal.getMessage());
        }
    }

    /**
     * Whether neither a byte nor the end has come since the last reply, as far as it is known
     * without a system call most times: see {@link ServerSockets}.
     */
    boolean isSilent() {
        try {
            return !isBroken() && (replies == null || replies.available() == 0);
        } catch (IOException closed) {
            return false;
        }
    }

    /** Whether bytes have come that no thread has read yet. Any thread may ask. */
    boolean hasBytes() {
        try {
            return ServerSockets.hasBytes(socket.last);
        } catch (IOException closed) {
            return true;
        }
    }

    @Override
    protected Object protocolRead(RedisInputStream in, PushConsumerChain pushes) {
        replies = in;
        if (awaitsAnswer) {
            readAnswer();
        }
        try {
            return read(in, pushes, 1);
        } catch (JedisAccessControlException refusal) {
            if (credentials != null && refusal.getMessage().startsWith("NOAUTH")) {
                credentials.refused(told, refusal.getMessage());
                setBroken(); // it has lost its user
            }
            throw refusal;
        }
    }

    private Object read(RedisInputStream in, PushConsumerChain pushes, int depth) {
        if (in.peek(Protocol.DOLLAR_BYTE)) {
            return bytes(in);
        }
        return in.peek(Protocol.ASTERISK_BYTE) ? list(in, pushes, depth) : super.protocolRead(in, pushes);
    }

    private static byte[] bytes(RedisInputStream in) {
        int length = length(in, MOST_BYTES);
        if (length < 0) {
            return null;
        }
        byte[] bytes = new byte[length];
        int read = 0;
        while (read < length) {
            read += in.read(bytes, read, length - read);
        }
        if (in.readByte() != '\r' || in.readByte() != '\n') {
            throw new JedisConnectionException("a reply is longer than it says");
        }
        return bytes;
    }

    private List<Object> list(RedisInputStream in, PushConsumerChain pushes, int depth) {
        int length = length(in, depth < DEEPEST ? MOST_ELEMENTS : 0);
        if (length < 0) {
            return null;
        }
        List<Object> elements = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
            try {
                elements.add(read(in, pushes, depth + 1));
            } catch (JedisDataException refusal) {
                elements.add(refusal);
            }
        }
        return elements;
    }

    /** The length behind a byte with the type; -1 for nothing. */
    private static int length(RedisInputStream in, int most) {
        in.readByte();
        long length = in.readLongCrLf();
        if (length < -1 || length > most) {
            throw new JedisConnectionException("a reply says that its length is " + length);
        }
        return (int) length;
    }
}
