package dev.limiter.benchmarks;

import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.RespConnection;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command of a limiter for one decision, as {@code MONITOR} shows it. So the same call can
 * be made through a plain pool, whatever the limiter's scripts and arguments are.
 *
 * @param words {@code EVALSHA}, the script's hash, the number of keys, keys and arguments
 */
record RecordedCall(List<byte[]> words) {
    private static final int KEY_COUNT = 2;
    private static final int FIRST_KEY = 3;

    /** The call for a policy, which is made twice, so that the script is known. */
    static RecordedCall of(RedisServer redis, RateLimiter limiter, Policy policy, String key) {
        limiter.acquire(policy, Ours.key(policy, key));
        return of(redis, () -> limiter.acquire(policy, Ours.key(policy, key)));
    }

    /** Runs code that makes one script call, and returns that call. */
    static RecordedCall of(RedisServer redis, Runnable decision) {
        try (RespConnection monitor = redis.connect()) {
            monitor.call("MONITOR");
            decision.run();
            while (true) {
                String line = (String) monitor.receive();
                List<byte[]> words = words(line.substring(line.indexOf(']') + 1));
                if (new String(words.get(0)).equalsIgnoreCase("EVALSHA")) {
                    return new RecordedCall(words);
                }
            }
        }
    }

    byte[] script() {
        return words.get(1);
    }

    List<byte[]> keys() {
        return words.subList(FIRST_KEY, FIRST_KEY + keyCount());
    }

    List<byte[]> arguments() {
        return words.subList(FIRST_KEY + keyCount(), words.size());
    }

    /** Script and arguments in hexadecimal, separated by commas. */
    String text() {
        return Stream.concat(Stream.of(script()), arguments().stream())
                .map(HexFormat.of()::formatHex)
                .collect(Collectors.joining(","));
    }

    private int keyCount() {
        return Integer.parseInt(new String(words.get(KEY_COUNT)));
    }

    /** Quoted words, with {@code \\xHH} and the escapes of C. */
    static List<byte[]> words(String text) {
        List<byte[]> words = new ArrayList<>();
        int at = text.indexOf('"');
        while (at >= 0) {
            ByteArrayOutputStream word = new ByteArrayOutputStream();
            for (at++; text.charAt(at) != '"'; at++) {
                char c = text.charAt(at);
                if (c != '\\') {
                    word.write(c);
                } else if (text.charAt(++at) == 'x') {
                    word.write(Integer.parseInt(text.substring(at + 1, at + 3), 16));
                    at += 2;
                } else {
                    word.write(unescaped(text.charAt(at)));
                }
            }
            words.add(word.toByteArray());
            at = text.indexOf('"', at + 1);
        }
        return words;
    }

    private static int unescaped(char c) {
        return switch (c) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'a' -> 7;
            case 'b' -> '\b';
            default -> c;
        };
    }
}
