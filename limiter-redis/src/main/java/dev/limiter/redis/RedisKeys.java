package dev.limiter.redis;

import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.Refill;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Where a state lies: {@code rl:<application>:<fingerprint>:{<digest>}}, at most 160 bytes of ASCII.
 *
 * <p>The fingerprint stands for what a state cannot be shared across: policy name, algorithm, refill, window, format; never limit,
 * burst or cost, which come with each call. The digest is 128 bits of HMAC-SHA-256 over the key's text, so no user name,
 * address or API key stands in Redis; it alone is the hash tag, so that all limits on one key share a slot.
 */
final class RedisKeys {
    private static final int STATE_FORMAT = 1;
    private static final int MAX_APPLICATION_LENGTH = 64;
    private static final int FINGERPRINT_BYTES = 9;
    private static final int DIGEST_BYTES = 16;
    private static final int DIGEST_CHARACTERS = 22;
    private static final byte[] NO_SECRET = "limiter".getBytes(StandardCharsets.US_ASCII);
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private final String application;
    private final ThreadLocal<Mac> mac;

    /**
     * @param application whose counts these are; any text
     * @param secret the digest's key; may be empty, but then the digest of a guessed address can be computed by anyone
     */
    RedisKeys(String application, String secret) {
        byte[] key = secret.isEmpty() ? NO_SECRET : utf16(secret);
        // One per thread: making one costs more than the digest itself.
        this.mac = ThreadLocal.withInitial(() -> hmac(key));
        this.application = readable(application);
    }

    /** The part of the key that a policy gives: everything before the digest. */
    byte[] prefix(Policy policy) {
        String algorithm = policy.algorithm() + (policy.refill() == Refill.INTERVAL ? "/INTERVAL" : "");
        String identity = policy.name() + '\0' + algorithm + '\0' + policy.windowMicros() + '\0' + STATE_FORMAT;
        return ascii("rl:" + application + ':' + base64(hmac(NO_SECRET), identity, FINGERPRINT_BYTES) + ":{");
    }

    /** The whole key of a partition. */
    byte[] key(byte[] prefix, PartitionKey partition) {
        byte[] key = new byte[prefix.length + DIGEST_CHARACTERS + 1];
        System.arraycopy(prefix, 0, key, 0, prefix.length);
        byte[] digest = ascii(base64(mac.get(), partition.text(), DIGEST_BYTES));
        System.arraycopy(digest, 0, key, prefix.length, DIGEST_CHARACTERS);
        key[key.length - 1] = '}';
        return key;
    }

    /** Letters, digits and {@code . _ - /} stay; a name with anything else, or a long one, is told apart by its digest. */
    private static String readable(String application) {
        String clean = application.replaceAll("[^A-Za-z0-9._/-]", "_");
        if (clean.equals(application) && clean.length() <= MAX_APPLICATION_LENGTH) {
            return clean;
        }
        String digest = base64(hmac(NO_SECRET), application, FINGERPRINT_BYTES);
        int kept = Math.min(clean.length(), MAX_APPLICATION_LENGTH - digest.length() - 1);
        return clean.substring(0, kept) + '~' + digest;
    }

    private static String base64(Mac mac, String text, int bytes) {
        byte[] digest = mac.doFinal(utf16(text));
        byte[] beginning = new byte[bytes];
        System.arraycopy(digest, 0, beginning, 0, bytes);
        return BASE64.encodeToString(beginning);
    }

    /** Two bytes for each char: unlike an encoder, which turns every lone surrogate into one replacement, this is injective. */
    private static byte[] utf16(String text) {
        byte[] bytes = new byte[2 * text.length()];
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            bytes[2 * i] = (byte) (c >>> 8);
            bytes[2 * i + 1] = (byte) c;
        }
        return bytes;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static Mac hmac(byte[] key) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has HmacSHA256", impossible);
        }
    }
}
