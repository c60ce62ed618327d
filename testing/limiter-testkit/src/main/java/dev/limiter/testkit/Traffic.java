package dev.limiter.testkit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** The traffic of all connections of a {@link FaultProxy}. */
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

    Map<String, Integer> timesSent(Pattern wanted) {
        Map<String, Integer> times = new HashMap<>();
        sent.forEach(ofOne -> ofOne.find(wanted, text -> times.merge(text, 1, Integer::sum)));
        return times;
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
