package dev.limiter.local.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.testkit.property.Property;
import dev.limiter.testkit.property.Texts;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("proof")
class KeyedHashTest {

    /**
     * Published vectors of SipHash-2-4 with 128 bits: key 00 01 … 0f, input empty and 00 01 …
     * 0e.
     */
    @Test
    void theDigestsAreThoseThatArePublished() {
        KeyedHash hash = new KeyedHash(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);
        hash.begin();
        hash.add(0);
        assertIs(hash.end(), 0xe6a825ba047f81a3L, 0x930255c71472f66dL);
        hash.begin();
        hash.add(0x0706050403020100L);
        hash.add(0x0f0e0d0c0b0a0908L);
        assertIs(hash.end(), 0x11a8b03399e99354L, 0xd9c3cf970fec087eL);
    }

    private static void assertIs(KeyedHash.Digest digest, long first, long second) {
        assertThat(List.of(digest.first, digest.second)).containsExactly(first, second);
    }

    @Test
    void textsAreWordsOfFourCharacters() {
        KeyedHash hash = new KeyedHash(1, 2);
        hash.begin();
        hash.add("abcd\uffffe");
        KeyedHash.Digest digest = hash.end().copy();
        hash.begin();
        hash.add(0x0064_0063_0062_0061L);
        hash.add(0x0065_ffffL);
        assertThat(hash.end()).isEqualTo(digest);
    }

    @Test
    void differentTextsOfOneLengthHaveDifferentDigests() {
        KeyedHash hash = KeyedHash.ofRandomKey();
        Property.forAll(Texts.any(9)).tries(5_000).check(text -> {
            String other = text.isEmpty() ? text : text.substring(1) + (char) (text.charAt(0) + 1);
            assertThat(digest(hash, text).equals(digest(hash, other))).isEqualTo(text.equals(other));
            assertThat(digest(hash, text)).isEqualTo(digest(hash, text));
        });
    }

    /** 16,384 texts with one {@code String.hashCode}. */
    @Test
    void textsThatAreChosenToCollideDoNot() {
        List<String> texts = List.of("");
        for (int i = 0; i < 14; i++) {
            List<String> longer = new ArrayList<>();
            texts.forEach(text -> longer.addAll(List.of(text + "Aa", text + "BB")));
            texts = longer;
        }
        KeyedHash hash = KeyedHash.ofRandomKey();
        Set<Integer> plain = new HashSet<>();
        Set<Integer> keyed = new HashSet<>();
        for (String text : texts) {
            plain.add(text.hashCode());
            keyed.add(digest(hash, text).hashCode());
        }
        assertThat(plain).hasSize(1);
        assertThat(keyed).as("of 16,384; less than one pair collides by chance").hasSizeGreaterThan(16_370);
    }

    @Test
    void eachProcessHasItsOwnKey() {
        assertThat(digest(KeyedHash.ofRandomKey(), "a")).isNotEqualTo(digest(KeyedHash.ofRandomKey(), "a"));
    }

    private static KeyedHash.Digest digest(KeyedHash hash, String text) {
        hash.begin();
        hash.add(text);
        return hash.end().copy();
    }
}
