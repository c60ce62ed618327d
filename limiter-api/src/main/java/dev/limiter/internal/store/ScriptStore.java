package dev.limiter.internal.store;

import dev.limiter.PartitionKey;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;

/**
 * Runs Lua scripts where a limiter keeps its counts, over the same connections. Extensions get
 * it from {@link dev.limiter.RateLimiter#unwrap}.
 */
public interface ScriptStore {

    /**
     * {@return the name of a key in the store, in ASCII} Its hash tag is the digest of the
     * partition. It must not be changed.
     *
     * @param identity tells states of one partition apart, such as a name, a kind and a format
     * @param partition whose state it is
     */
    byte[] key(String identity, PartitionKey partition);

    /**
     * Runs a script once.
     *
     * @param script the text, a constant: each text is hashed once and kept. Its reply begins
     *     with the instant of the call on the clock of the store, in µs, packed as
     *     {@code struct.pack('>d', …)}
     * @param keys of one hash slot, at least one; not changed afterwards
     * @param arguments as the script reads them
     * @param expectedReplyBytes the expected length of the reply, from 0; it bounds how many
     *     calls share a round trip
     * @param maxReplyBytes the longest possible reply, at least {@code expectedReplyBytes}
     * @param reader reads what follows the instant
     * @param <T> the type of what the reader returns
     * @return what the reader returns
     * @throws dev.limiter.StoreUnavailableException if the store gives no reply, or the reader
     *     cannot read it
     */
    <T> T run(
            String script,
            List<byte[]> keys,
            List<byte[]> arguments,
            int expectedReplyBytes,
            int maxReplyBytes,
            Function<ByteBuffer, T> reader);
}
