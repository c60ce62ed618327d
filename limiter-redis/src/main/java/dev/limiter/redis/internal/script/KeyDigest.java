package dev.limiter.redis.internal.script;

import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicReferenceArray;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * HMAC-SHA-256 of texts, as base64. The tools of a digest cost more than the digest itself, so a
 * few are kept for later callers. They are not kept by thread, because virtual threads come and
 * go.
 */
public final class KeyDigest {
    private static final int KEPT = 16; // a power of 2; about as many as processors that make digests at once
    private static final int LONGEST_KEPT = 4_096;
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private final byte[] secret;
    private final int bytes;
    private final AtomicReferenceArray<Tools> kept = new AtomicReferenceArray<>(KEPT);

    /**
     * @param secret at least one byte
     * @param bytes how many bytes of the digest count, from the first on
     */
    KeyDigest(byte[] secret, int bytes) {
        this.secret = secret;
        this.bytes = bytes;
    }

    /** A MAC and its arrays. */
    private final class Tools {
        private final Mac mac = hmac(secret);
        private final byte[] hash = new byte[mac.getMacLength()];
        private final byte[] beginning = new byte[bytes];
        private final byte[] base64 = new byte[(4 * bytes + 2) / 3];
        private byte[] text = new byte[256];
    }

    /** How many characters a digest has. */
    int length() {
        return (4 * bytes + 2) / 3;
    }

    /** Writes the digest of a text into an array. */
    void write(String text, byte[] into, int at) {
        int place = (int) Thread.currentThread().getId() & KEPT - 1;
        Tools found = kept.getAndSet(place, null);
        Tools tools = found == null ? new Tools() : found;
        byte[] base64 = digest(tools, text);
        System.arraycopy(base64, 0, into, at, base64.length);
        if (tools.text.length <= LONGEST_KEPT) {
            kept.set(place, tools);
        }
    }

    private static byte[] digest(Tools tools, String text) {
        int length = 2 * text.length();
        if (tools.text.length < length) {
            tools.text = new byte[length];
        }
        utf16(text, tools.text);
        try {
            tools.mac.update(tools.text, 0, length);
            tools.mac.doFinal(tools.hash, 0);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("the array has the length of the MAC", impossible);
        }
        System.arraycopy(tools.hash, 0, tools.beginning, 0, tools.beginning.length);
        BASE64.encode(tools.beginning, tools.base64);
        return tools.base64;
    }

    /**
     * Writes two bytes for each char. This is injective; an encoder would turn every lone
     * surrogate into the same replacement.
     */
    public static void utf16(String text, byte[] into) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            into[2 * i] = (byte) (c >>> 8);
            into[2 * i + 1] = (byte) c;
        }
    }

    private static Mac hmac(byte[] secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return mac;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has HmacSHA256", impossible);
        }
    }
}
