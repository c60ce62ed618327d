package dev.limiter.redis.internal.script;

import dev.limiter.internal.algorithm.Packed;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.args.Rawable;

/**
 * EVALSHA or EVAL, as Jedis writes it to a connection. It is one object for many calls, one
 * after the other: Jedis' own makes three objects for each argument and copies it. A sender has
 * it for itself while it sends.
 */
public final class ScriptCommand extends CommandArguments {
    private static final byte[] EVALSHA = Protocol.Command.EVALSHA.getRaw();
    private static final byte[] EVAL = Protocol.Command.EVAL.getRaw();
    private static final byte[] ONE = Packed.of(1);

    private static final int MOST_BYTES_KEPT = 1 << 16;

    private final Cursor cursor = new Cursor();
    private byte[][] parts = new byte[16][];
    private int size;
    private int bytes;

    /** The most bytes of an earlier command, whose parts may still be there. */
    private int most;

    public ScriptCommand() {
        super(Protocol.Command.EVALSHA);
    }

    /** Begins a call anew. */
    public ScriptCommand of(Program script, boolean withText, int keys) {
        most = Math.max(most, bytes);
        size = 0;
        bytes = 0;
        add(withText ? EVAL : EVALSHA);
        add(withText ? script.text() : script.sha1());
        add(keys == 1 ? ONE : Packed.of(keys));
        return this;
    }

    @Override
    public ScriptCommand add(byte[] part) {
        if (size == parts.length) {
            parts = Arrays.copyOf(parts, 2 * size);
        }
        parts[size++] = part;
        bytes += part.length;
        return this;
    }

    public ScriptCommand addAll(List<byte[]> more) {
        for (byte[] part : more) {
            add(part);
        }
        return this;
    }

    /** Whether it may be kept for the next call. A large one would keep its payload in memory. */
    public boolean isReusable() {
        return Math.max(most, bytes) <= MOST_BYTES_KEPT;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public Iterator<Rawable> iterator() {
        cursor.next = 0;
        return cursor;
    }

    /** Iterates over the parts. */
    private final class Cursor implements Iterator<Rawable>, Rawable {
        private int next;

        @Override
        public boolean hasNext() {
            return next < size;
        }

        @Override
        public Rawable next() {
            if (next == size) {
                throw new NoSuchElementException();
            }
            next++;
            return this;
        }

        @Override
        public byte[] getRaw() {
            return parts[next - 1];
        }
    }
}
