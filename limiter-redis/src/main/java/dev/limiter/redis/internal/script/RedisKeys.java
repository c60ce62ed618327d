package dev.limiter.redis.internal.script;

import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.Refill;
import dev.limiter.internal.algorithm.Packed;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Builds the Redis key of a state: {@code rl:<application>:<fingerprint>:{<digest>}}, at most
 * 160 bytes of ASCII.
 *
 * <p>The fingerprint identifies policy name, algorithm, refill, window and format, across which
 * a state cannot be shared. Limit, burst and cost are not in it, since they come with each call.
 * The digest is 128 bits of HMAC-SHA-256 over the key's text, so no user name, address or API
 * key stands in Redis; it alone is the hash tag, so that all limits on one key share a slot.
 */
public final class RedisKeys {
    private static final int STATE_FORMAT = 2;
    private static final int MAX_APPLICATION_LENGTH = 64;
    private static final int FINGERPRINT_BYTES = 8;
    private static final int NAME_DIGEST_BYTES = 9;
    private static final int DIGEST_BYTES = 16;
    private static final byte[] NO_SECRET = Packed.of("limiter");

    /**
     * Keys that are kept: a frequent partition costs no digest, and no array with the policy that
     * asked first. A power of 2.
     */
    static final int RECENT = 1 << 14;

    /** Characters of a text whose key is kept: 6 MB in all. */
    private static final int LONGEST_RECENT = 100;

    private final String application;
    private final KeyDigest digest;
    private final AtomicReferenceArray<Made> recent = new AtomicReferenceArray<>(RECENT);

    private record Made(String text, byte[] key) {}

    /**
     * @param application whose counts these are; any text
     * @param secret the digest's key; may be empty, but then the digest of a guessed address can
     *     be computed by anyone
     */
    public RedisKeys(String application, String secret) {
        byte[] key = NO_SECRET;
        if (!secret.isEmpty()) {
            key = new byte[2 * secret.length()];
            KeyDigest.utf16(secret, key);
        }
        this.digest = new KeyDigest(key, DIGEST_BYTES);
        this.application = readable(application);
    }

    /** The part of the key that a policy gives: everything before the digest. */
    public byte[] prefix(Policy policy) {
        String algorithm = policy.algorithm() + (policy.refill() == Refill.INTERVAL ? "/INTERVAL" : "");
        String identity = policy.name() + '\0' + algorithm + '\0' + policy.windowMicros() + '\0' + STATE_FORMAT;
        return prefix(identity);
    }

    /**
     * The part of the key before the digest.
     *
     * @param identity what a state cannot be shared across
     */
    byte[] prefix(String identity) {
        return Packed.of("rl:" + application + ':' + unkeyed(identity, FINGERPRINT_BYTES) + ":{");
    }

    /** The whole key of a partition; it must not be changed. */
    public byte[] key(byte[] prefix, PartitionKey partition) {
        String text = partition.text();
        int place = (int) partition.stableHash() & RECENT - 1;
        Made known = recent.get(place);
        boolean isKnown = known != null && known.text.equals(text);
        int before = isKnown ? known.key.length - digest.length() - 1 : 0;
        if (isKnown && Arrays.equals(known.key, 0, before, prefix, 0, prefix.length)) {
            return known.key;
        }
        byte[] key = Arrays.copyOf(prefix, prefix.length + digest.length() + 1);
        key[key.length - 1] = '}';
        if (isKnown) {
            System.arraycopy(known.key, before, key, prefix.length, digest.length());
            return key;
        }
        digest.write(text, key, prefix.length);
        if (text.length() <= LONGEST_RECENT) {
            recent.set(place, new Made(text, key));
        }
        return key;
    }

    /**
     * Letters, digits and {@code . _ - /} stay; a name with anything else, or a long one, is
     * told apart by its digest.
     */
    private static String readable(String application) {
        String clean = application.replaceAll("[^A-Za-z0-9._/-]", "_");
        if (clean.equals(application) && clean.length() <= MAX_APPLICATION_LENGTH) {
            return clean;
        }
        String digest = unkeyed(application, NAME_DIGEST_BYTES);
        int kept = Math.min(clean.length(), MAX_APPLICATION_LENGTH - digest.length() - 1);
        return clean.substring(0, kept) + '~' + digest;
    }

    /** For what is no secret and needs a digest only to be short. */
    private static String unkeyed(String text, int bytes) {
        KeyDigest digest = new KeyDigest(NO_SECRET, bytes);
        byte[] base64 = new byte[digest.length()];
        digest.write(text, base64, 0);
        return new String(base64, StandardCharsets.US_ASCII);
    }
}
