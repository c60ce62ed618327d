package dev.limiter.redis.internal.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.testkit.threads.ManyThreads;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A digest depends on nothing but secret and text. */
class KeyDigestTest {
    private static final int TEXTS = 500;

    private static byte[] secret() {
        return "secret".getBytes(StandardCharsets.US_ASCII);
    }

    /** Each by tools of its own, not used before. */
    private static List<String> alone() {
        List<String> digests = new ArrayList<>();
        for (int i = 0; i < TEXTS; i++) {
            digests.add(digest(new KeyDigest(secret(), 16), text(i)));
        }
        return digests;
    }

    private static List<String> all(KeyDigest digest) {
        List<String> digests = new ArrayList<>();
        for (int i = 0; i < TEXTS; i++) {
            digests.add(digest(digest, text(i)));
        }
        return digests;
    }

    /** Long and short by turns, so that each finds something of its predecessor. */
    private static String text(int number) {
        return Integer.toString(number).repeat(1 + number * 37 % 101 * (number % 50 == 0 ? 50 : 1));
    }

    private static String digest(KeyDigest digest, String text) {
        byte[] into = new byte[digest.length() + 2];
        digest.write(text, into, 1);
        assertThat(into[0]).isZero();
        assertThat(into[into.length - 1]).isZero();
        return new String(into, 1, digest.length(), StandardCharsets.US_ASCII);
    }

    /** More threads than kept tools, so that many find theirs in use. */
    @Test
    void concurrentDigestsAreTheSame() throws Exception {
        List<String> alone = alone();
        KeyDigest shared = new KeyDigest(secret(), 16);
        assertThat(ManyThreads.call(64, () -> all(shared))).containsOnly(alone);
    }
}
