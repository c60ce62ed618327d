package dev.limiter.redis.internal.script;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * How a script's arguments are written: words and counts as text, what an algorithm needs packed into one, as doubles, which are Lua's
 * numbers. An argument costs Redis a tenth of a microsecond, and a number that is text as much again.
 */
public final class Packed {
    private Packed() {}

    public static byte[] of(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    public static byte[] of(long number) {
        return of(Long.toString(number));
    }

    /** Whole numbers, each less than 2<sup>53</sup> away from 0. */
    public static byte[] packed(long... numbers) {
        byte[] bytes = new byte[8 * numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            put(bytes, 8 * i, numbers[i]);
        }
        return bytes;
    }

    /** Writes a number into an argument. */
    static void put(byte[] bytes, int at, long number) {
        long bits = Double.doubleToRawLongBits(number);
        for (int i = 0; i < 8; i++) {
            bytes[at + i] = (byte) (bits >>> 56 - 8 * i);
        }
    }

    /** A copy that ends with more bytes. */
    public static byte[] joined(byte[] packed, byte... more) {
        byte[] all = Arrays.copyOf(packed, packed.length + more.length);
        System.arraycopy(more, 0, all, packed.length, more.length);
        return all;
    }
}
