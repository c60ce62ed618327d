package dev.limiter.redis.internal.topology;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.PushConsumerChain;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.RedisInputStream;

/**
 * A connection that trusts no length: Jedis allocates whatever a corrupt reply names. It also
 * knows of bytes that no request has asked for. They would be taken for the reply to the next
 * request, and each later caller would get the decision of the caller before.
 */
final class StrictConnection extends Connection {
    /** Twice the longest payload of a queue, which is the longest reply. */
    private static final int MOST_BYTES = 1 << 21;

    /** More than the groups of a call, and the commands that a user may not run. */
    private static final int MOST_ELEMENTS = 1_024;

    private static final int DEEPEST = 4;

    private RedisInputStream replies;

    private StrictConnection(Connection.Builder builder) {
        super(builder);
    }

    /** Makes connections of this class. */
    static final class Builder extends Connection.Builder {
        @Override
        protected Connection createConnection() {
            return new StrictConnection(this);
        }
    }

    /**
     * Whether no byte has come since the last reply, as far as it is known without a system call
     * most times: see {@link ServerSockets}.
     */
    boolean isSilent() {
        try {
            return !isBroken() && (replies == null || replies.available() == 0);
        } catch (IOException closed) {
            return false;
        }
    }

    @Override
    protected Object protocolRead(RedisInputStream in, PushConsumerChain pushes) {
        replies = in;
        return read(in, pushes, 1);
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
