package dev.limiter.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What a {@link FaultProxy} has passed on, of all its connections. */
final class Traffic {

    private final List<SentBytes> sent = new ArrayList<>();
    private Consumer<byte[]> onRequest = bytes -> {};
    private long bytesToServer;
    private long bytesToClients;

    /** The record of one more connection. */
    SentBytes open() {
        SentBytes ofOne = new SentBytes();
        sent.add(ofOne);
        return ofOne;
    }

    void requestPassed(byte[] bytes) {
        bytesToServer += bytes.length;
        onRequest.accept(bytes);
    }

    void replyPassed(int bytes) {
        bytesToClients += bytes;
    }

    void onRequest(Consumer<byte[]> listener) {
        onRequest = listener;
    }

    int opened() {
        return sent.size();
    }

    int timesSent(byte[] wanted) {
        return sent.stream().mapToInt(ofOne -> ofOne.count(wanted)).sum();
    }

    /** Whole connections stay counted. */
    void forgetRequests() {
        sent.forEach(SentBytes::forget);
    }

    long bytesToServer() {
        return bytesToServer;
    }

    long bytesToClients() {
        return bytesToClients;
    }
}
