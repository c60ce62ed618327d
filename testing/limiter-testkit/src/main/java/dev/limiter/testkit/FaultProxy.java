package dev.limiter.testkit;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;

/**
 * A TCP proxy on a free port of 127.0.0.1, in front of any server, that does to connections what
 * networks do.
 *
 * <pre>{@code
 * try (FaultProxy proxy = FaultProxy.to(redis)) {
 *     connect(proxy.uri());
 *     proxy.latency(Duration.ofMillis(30), Duration.ofMillis(20)); // a round trip takes 50 ms
 *     proxy.dropReplies();                                         // executed, and the client never learns
 *     proxy.timesSent("request-7");                                // 1, unless the client has tried again
 *     proxy.pass();                                                // as at the beginning
 * }
 * }</pre>
 *
 * <p>What a method switches on holds from its return, for new connections and for those that are
 * open. Of the faults the last one holds: a black hole, for instance, ends the dropping of
 * replies. Latency, a slow link and refusal come on top. Bytes that were swallowed never come
 * back: a connection that has lost some stays silent, also after {@link #pass}. Any thread may
 * call any method.
 */
public final class FaultProxy implements AutoCloseable {

    private static final String EVERY_CONNECTION = "";

    private final ProxyLoop loop;
    private final InetSocketAddress address;

    private FaultProxy(int port, InetSocketAddress target) {
        address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        loop = new ProxyLoop(target);
        try {
            listen();
        } catch (IllegalStateException taken) {
            close();
            throw new PortTakenException(port, taken.getMessage());
        }
    }

    /** A proxy that passes everything on, in front of a server which need not run yet. */
    public static FaultProxy to(String host, int port) {
        InetSocketAddress target = new InetSocketAddress(host, port);
        return FreePort.take(free -> new FaultProxy(free, target));
    }

    /** A proxy that passes everything on. */
    public static FaultProxy to(RedisServer server) {
        return to("127.0.0.1", server.port());
    }

    /**
     * Leads new connections to another server, as an address does that moves; those that are open
     * go on to the one before, and those that are on their way may still get there.
     */
    public void target(RedisServer other) {
        InetSocketAddress target = new InetSocketAddress("127.0.0.1", other.port());
        loop.tell(() -> loop.target(target));
    }

    /** The port it listens on, on 127.0.0.1. */
    public int port() {
        return address.getPort();
    }

    /** {@code redis://127.0.0.1:port}. */
    public String uri() {
        return "redis://127.0.0.1:" + port();
    }

    /** Ends every fault, the latency, the slow link and the refusal. */
    public void pass() {
        become(Faults.NONE);
        listen();
    }

    /**
     * Connections are accepted, and what either side sends is swallowed; nor does the client learn
     * that the server ends.
     */
    public void blackHole() {
        blackHole(EVERY_CONNECTION);
    }

    /**
     * A black hole for those connections only that have sent these bytes, from that request on:
     * {@code "PSYNC"} cuts the replicas off and leaves the clients alone.
     */
    public void blackHole(String marker) {
        fault(Fault.BLACK_HOLE, marker);
    }

    /**
     * Requests reach the server and are executed; as soon as a reply comes the connection is
     * closed instead.
     */
    public void dropReplies() {
        dropReplies(EVERY_CONNECTION);
    }

    /**
     * Drops the replies of those connections only that have sent these bytes, from the reply to
     * that request on: {@code "EVALSHA"} lets a client connect and say hello, and then drops the
     * first reply that matters.
     */
    public void dropReplies(String marker) {
        fault(Fault.CLOSE_INSTEAD_OF_REPLY, marker);
    }

    /** Requests reach the server and are executed; the client waits in vain. */
    public void silenceReplies() {
        silenceReplies(EVERY_CONNECTION);
    }

    /** As {@link #dropReplies(String)}, but the connection stays open. */
    public void silenceReplies(String marker) {
        fault(Fault.SILENCE_INSTEAD_OF_REPLY, marker);
    }

    /** A new connection is accepted and reset at once; those that are open go on. */
    public void resetNew() {
        fault(Fault.RESET_NEW, EVERY_CONNECTION);
    }

    /**
     * Resets the connections that are open at this moment, on both sides; new ones are not
     * concerned.
     */
    public void resetExisting() {
        loop.tell(loop::resetLinks);
    }

    /**
     * Holds back what is read from now on: each byte this long after it came, and the end of a
     * connection likewise.
     *
     * @param requests from the client to the server, at least 0
     * @param replies from the server to the client, at least 0
     */
    public void latency(Duration requests, Duration replies) {
        loop.tell(() -> loop.become(loop.faults().withLatency(requests, replies)));
    }

    /**
     * Each connection becomes a slow link: what is read from a client from now on is passed on at
     * this rate, in pieces of 64 KiB at most. The client can write at once; what it has written
     * waits in the proxy.
     *
     * @param bytesPerSecond at least 1
     */
    public void requestRate(int bytesPerSecond) {
        loop.tell(() -> loop.become(loop.faults().withRequestRate(bytesPerSecond)));
    }

    /** New connections are refused, as if no process listened; those that are open go on. */
    public void refuse() {
        loop.tell(loop::refuse);
    }

    /**
     * Ends the refusal, on the same port.
     *
     * @throws IllegalStateException if another process has taken the port
     */
    public void listen() {
        loop.tell(() -> loop.listen(address));
    }

    /** Connections that clients have opened so far, those included that were reset. */
    public int opened() {
        return (int) count(Traffic::opened);
    }

    /** Connections that are open at this moment. */
    public int openNow() {
        return loop.ask(loop::openLinks);
    }

    /** Bytes passed on to the server so far. */
    public long bytesToServer() {
        return count(Traffic::bytesToServer);
    }

    /** Bytes passed on to clients so far. */
    public long bytesToClients() {
        return count(Traffic::bytesToClients);
    }

    /**
     * How often these bytes were passed on to the server, on whatever connection; what was
     * swallowed does not count.
     *
     * @param wanted at least 1 byte
     */
    public int timesSent(byte[] wanted) {
        if (wanted.length == 0) {
            throw new IllegalArgumentException("wanted must be at least 1 byte, was 0");
        }
        byte[] copy = wanted.clone();
        return (int) count(traffic -> traffic.timesSent(copy));
    }

    /** {@link #timesSent(byte[])} of a text in UTF-8. */
    public int timesSent(String wanted) {
        return timesSent(wanted.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * {@link #timesSent(byte[])} of every text that matches, as far as any was sent: with
     * thousands to look for, in one go.
     *
     * @param wanted of ASCII, and not the empty text
     */
    public Map<String, Integer> timesSent(Pattern wanted) {
        return loop.ask(() -> loop.traffic().timesSent(wanted));
    }

    /**
     * Lets {@link #timesSent} count from 0 again, and frees the memory of all that was sent
     * before. A fault that is for the connections that have sent something looks no further back
     * either.
     */
    public void forgetRequests() {
        loop.tell(() -> loop.traffic().forgetRequests());
    }

    /**
     * Calls a listener with each piece that was passed on to the server; a request may come in
     * several.
     *
     * @param listener must be quick and must not throw: the proxy waits for it; it replaces the
     *     one before
     */
    public void onRequest(Consumer<byte[]> listener) {
        loop.tell(() -> loop.traffic().onRequest(listener));
    }

    /**
     * Closes every connection; does nothing the second time. What was counted can still be read.
     */
    @Override
    public void close() {
        loop.close();
    }

    private void fault(Fault fault, String marker) {
        byte[] bytes = marker.getBytes(StandardCharsets.UTF_8);
        loop.tell(() -> loop.become(loop.faults().with(fault, bytes)));
    }

    private void become(Faults faults) {
        loop.tell(() -> loop.become(faults));
    }

    private long count(ToLongFunction<Traffic> counter) {
        return loop.ask(() -> counter.applyAsLong(loop.traffic()));
    }
}
