package dev.limiter.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The thread of a {@link FaultProxy}. Only this thread touches a socket, a fault or a counter,
 * so that no byte passes any more once {@link #ask} has returned from what forbids it; and it
 * never blocks, so that no connection waits for another one.
 */
final class ProxyLoop {

    private static final long NANOS_PER_MILLI = 1_000_000;

    /**
     * As many as Redis lets wait to be accepted. Java's 50 are fewer than some tests connect at
     * once.
     */
    private static final int BACKLOG = 511;

    private InetSocketAddress target;
    private final Selector selector;
    private final Queue<FutureTask<?>> questions = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private final Traffic traffic = new Traffic();
    private final List<Link> links = new ArrayList<>();
    private ServerSocketChannel listener;
    private Faults faults = Faults.NONE;
    private long deliveredNanos = System.nanoTime();
    private boolean ended;

    ProxyLoop(InetSocketAddress target) {
        this.target = target;
        try {
            this.selector = Selector.open();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        this.thread = new Thread(this::run, "fault-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Runs a task on the thread of the loop, or on this one if the loop has ended, and waits for
     * it.
     *
     * @throws IllegalStateException if it failed, with the cause
     */
    <T> T ask(Callable<T> task) {
        FutureTask<T> question = new FutureTask<>(task);
        if (thread.isAlive()) {
            questions.add(question);
            selector.wakeup();
        } else {
            question.run();
        }
        try {
            return question.get(ServerProcess.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            throw new IllegalStateException(failed.getCause().getMessage(), failed.getCause());
        } catch (TimeoutException silent) {
            throw new IllegalStateException("the proxy does not answer", silent);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking the proxy", interrupted);
        }
    }

    /** {@link #ask} for no answer. */
    void tell(Order order) {
        ask(() -> {
            order.run();
            return null;
        });
    }

    interface Order {
        void run() throws IOException;
    }

    /** Closes every connection and waits for the end of the thread. */
    void close() {
        tell(this::end);
        try {
            thread.join(ServerProcess.PATIENCE.toMillis());
        } catch (InterruptedException interrupted) {
            // The end is on its way; only the waiting is given up.
            Thread.currentThread().interrupt();
        }
    }

    Traffic traffic() {
        return traffic;
    }

    Faults faults() {
        return faults;
    }

    void become(Faults other) {
        faults = other;
        links.forEach(link -> link.become(other));
    }

    /** Sets the target of new connections. Open connections stay where they lead. */
    void target(InetSocketAddress other) {
        target = other;
    }

    int openLinks() {
        return (int) links.stream().filter(Link::isOpen).count();
    }

    void resetLinks() throws IOException {
        links.forEach(Link::reset);
        closeForGood();
    }

    void listen(InetSocketAddress address) throws IOException {
        if (listener != null) {
            return;
        }
        ServerSocketChannel opened = ServerSocketChannel.open();
        try {
            opened.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            opened.bind(address, BACKLOG);
            opened.configureBlocking(false);
            opened.register(selector, SelectionKey.OP_ACCEPT);
            listener = opened;
        } catch (IOException failed) {
            opened.close();
            throw failed;
        }
    }

    void refuse() throws IOException {
        if (listener != null) {
            listener.close();
            listener = null;
            closeForGood();
        }
    }

    private void end() throws IOException {
        if (ended) {
            return;
        }
        refuse();
        links.forEach(Link::close);
        closeForGood();
        ended = true;
    }

    /** A channel that a selector knows is closed only when that selector looks the next time. */
    private void closeForGood() throws IOException {
        selector.selectNow();
    }

    private void run() {
        try (selector) {
            while (!ended) {
                select();
                answerQuestions();
                for (SelectionKey key : selector.selectedKeys()) {
                    handle(key);
                }
                selector.selectedKeys().clear();
                renewLinks();
            }
        } catch (IOException | ClosedSelectorException failed) {
            throw new IllegalStateException("the proxy has broken down", failed);
        }
    }

    /** Rounded up: a hair too late instead of several times in vain. */
    private void select() throws IOException {
        long nanos = links.stream()
                .mapToLong(link -> link.nanosUntilDue(deliveredNanos))
                .min()
                .orElse(Long.MAX_VALUE);
        if (nanos == Long.MAX_VALUE) {
            selector.select();
            return;
        }
        long left = nanos - (System.nanoTime() - deliveredNanos);
        if (left > 0) {
            selector.select(left / NANOS_PER_MILLI + 1);
        } else {
            selector.selectNow();
        }
    }

    private void answerQuestions() {
        for (FutureTask<?> question = questions.poll(); question != null; question = questions.poll()) {
            question.run();
        }
    }

    private void handle(SelectionKey key) throws IOException {
        if (!key.isValid()) {
            return;
        }
        if (key.isAcceptable()) {
            accept((ServerSocketChannel) key.channel());
            return;
        }
        Link link = (Link) key.attachment();
        try {
            link.ready(key, System.nanoTime());
        } catch (IOException unreachable) {
            link.reset();
        }
    }

    private void accept(ServerSocketChannel from) throws IOException {
        SocketChannel client = from.accept();
        if (client == null) {
            return;
        }
        if (faults.fault() == Fault.RESET_NEW) {
            traffic.open();
            Link.resetQuietly(client);
            return;
        }
        try {
            Link link = new Link(client, selector, faults, traffic);
            links.add(link);
            link.connect(target);
        } catch (IOException unreachable) {
            Link.resetQuietly(client);
        }
    }

    private void renewLinks() {
        deliveredNanos = System.nanoTime();
        for (Link link : links) {
            try {
                link.deliver(deliveredNanos);
            } catch (IOException broken) {
                link.reset();
            }
            link.renewInterest(selector, deliveredNanos);
        }
        links.removeIf(link -> !link.isOpen());
    }
}
