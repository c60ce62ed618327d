package dev.limiter.testkit;

import dev.limiter.testkit.Lane.Parcel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Arrays;

/**
 * One connection of a client through a {@link FaultProxy}, with the one behind it to the server.
 *
 * <p>Bytes that were swallowed never come back. So a direction that has lost some stays silent,
 * also when the fault is over: what would follow is no longer the protocol that was spoken.
 */
final class Link {

    private final SocketChannel client;
    private final SocketChannel server;
    private final Traffic traffic;
    private final SentBytes sent;
    private final Lane requests = new Lane();
    private final Lane replies = new Lane();

    private Faults faults;
    private boolean concerned;
    private boolean requestsLost;
    private boolean repliesLost;
    private boolean requestsEnded;
    private boolean repliesEnded;

    /**
     * Takes over the client; the connection to the server is still to be opened with
     * {@link #connect}.
     */
    Link(SocketChannel client, Selector selector, Faults faults, Traffic traffic) throws IOException {
        this.client = client;
        this.server = SocketChannel.open();
        this.traffic = traffic;
        this.sent = traffic.open();
        become(faults);
        prepare(client, selector);
        prepare(server, selector);
    }

    private void prepare(SocketChannel channel, Selector selector) throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.register(selector, 0, this);
    }

    /** Begins to connect; from a black hole nothing goes on to the server, not even that. */
    void connect(InetSocketAddress target) {
        requestsLost = loses(Fault.BLACK_HOLE);
        if (requestsLost) {
            return;
        }
        try {
            server.connect(target);
        } catch (IOException unreachable) {
            reset();
        }
    }

    void become(Faults other) {
        faults = other;
        concerned = other.marker().length == 0 || sent.count(other.marker()) > 0;
    }

    boolean isOpen() {
        return client.isOpen();
    }

    void ready(SelectionKey key, long nowNanos) throws IOException {
        if (key.isConnectable()) {
            server.finishConnect();
        }
        if (!key.isReadable()) {
            return;
        }
        if (key.channel() == client) {
            requests.read(client, nowNanos, faults.requestDelayNanos(), faults.nanosPerRequestByte());
        } else {
            replies.read(server, nowNanos, faults.replyDelayNanos(), 0);
        }
    }

    /** Passes on what is due, as far as the sockets take it. */
    void deliver(long nowNanos) throws IOException {
        while (isOpen() && requests.due(nowNanos) != null && request(requests.due(nowNanos))) {
            requests.removeOldest();
        }
        while (isOpen() && replies.due(nowNanos) != null && reply(replies.due(nowNanos))) {
            replies.removeOldest();
        }
    }

    /** Asks the selector for what each socket is waited for. */
    void renewInterest(Selector selector, long nowNanos) {
        if (!isOpen()) {
            return;
        }
        boolean connecting = server.isConnectionPending();
        int ofServer = (server.isConnected() && !replies.hasEnded() ? SelectionKey.OP_READ : 0)
                | (connecting ? SelectionKey.OP_CONNECT : 0)
                | (server.isConnected() && requests.due(nowNanos) != null ? SelectionKey.OP_WRITE : 0);
        int ofClient = (requests.hasEnded() ? 0 : SelectionKey.OP_READ)
                | (replies.due(nowNanos) != null ? SelectionKey.OP_WRITE : 0);
        server.keyFor(selector).interestOps(ofServer);
        client.keyFor(selector).interestOps(ofClient);
    }

    /**
     * Nanoseconds until more is due, {@code Long.MAX_VALUE} for never; what is due waits for its
     * socket, not for time.
     */
    long nanosUntilDue(long nowNanos) {
        long ofRequests = requests.nanosUntilDue(nowNanos);
        long ofReplies = replies.nanosUntilDue(nowNanos);
        return Math.min(ofRequests > 0 ? ofRequests : Long.MAX_VALUE, ofReplies > 0 ? ofReplies : Long.MAX_VALUE);
    }

    void close() {
        closeQuietly(client);
        closeQuietly(server);
    }

    /** Closes with RST instead of FIN; whatever is on its way is lost. */
    void reset() {
        resetQuietly(client);
        resetQuietly(server);
    }

    static void resetQuietly(SocketChannel channel) {
        try {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException alreadyClosed) {
            // Then there is nothing left to reset.
        }
        closeQuietly(channel);
    }

    private static void closeQuietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException alreadyBroken) {
            // Nothing more is wanted from it.
        }
    }

    /** @return whether the parcel is done with */
    private boolean request(Parcel parcel) throws IOException {
        concerned =
                concerned || sent.wouldComplete(faults.marker(), parcel.bytes().array());
        if (requestsLost || loses(Fault.BLACK_HOLE)) {
            return loseRequest(parcel);
        }
        if (!server.isConnected()) {
            return false;
        }
        requestsEnded = parcel.kind() == Lane.Kind.END;
        int from = parcel.bytes().position();
        pass(parcel, server);
        byte[] passed =
                Arrays.copyOfRange(parcel.bytes().array(), from, parcel.bytes().position());
        sent.add(passed);
        traffic.requestPassed(passed);
        return !parcel.bytes().hasRemaining();
    }

    /** A client that hangs up ends the link also where no test hears of it. */
    private boolean loseRequest(Parcel parcel) {
        requestsLost = true;
        repliesLost = true;
        if (parcel.kind() != Lane.Kind.BYTES) {
            close();
        }
        return true;
    }

    /** @return whether the parcel is done with */
    private boolean reply(Parcel parcel) throws IOException {
        requestsLost = requestsLost || loses(Fault.BLACK_HOLE);
        repliesLost = repliesLost || loses(Fault.BLACK_HOLE) || loses(Fault.SILENCE_INSTEAD_OF_REPLY);
        if (repliesLost) {
            return loseReply(parcel);
        }
        if (loses(Fault.CLOSE_INSTEAD_OF_REPLY)) {
            close();
            return true;
        }
        repliesEnded = parcel.kind() == Lane.Kind.END;
        int from = parcel.bytes().position();
        pass(parcel, client);
        traffic.replyPassed(parcel.bytes().position() - from);
        return !parcel.bytes().hasRemaining();
    }

    /** That the server has hung up is lost as well, unless the client has already gone. */
    private boolean loseReply(Parcel parcel) {
        if (requestsEnded && parcel.kind() != Lane.Kind.BYTES) {
            close();
        }
        return true;
    }

    private void pass(Parcel parcel, SocketChannel to) throws IOException {
        switch (parcel.kind()) {
            case BYTES -> to.write(parcel.bytes());
            case END -> to.shutdownOutput();
            case RESET -> reset();
        }
        if (requestsEnded && repliesEnded) {
            close();
        }
    }

    private boolean loses(Fault fault) {
        return concerned && faults.fault() == fault;
    }
}
