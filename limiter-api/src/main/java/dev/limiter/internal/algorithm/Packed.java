package dev.limiter.internal.algorithm;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes arguments of scripts: words and counts as text, the figures of an algorithm packed into
 * one argument as doubles, which are Lua's numbers. Each argument costs Redis a tenth of a
 * microsecond, and a number as text costs as much again.
 */
public final class Packed {
    static final VarHandle NUMBERS = MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.BIG_ENDIAN);

    private Packed() {}

    /**
     * {@return text as bytes}
     *
     * @param text of ASCII
     */
    public static byte[] of(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * {@return a number as text}
     *
     * @param number any
     */
    public static byte[] of(long number) {
        return of(Long.toString(number));
    }

    /**
     * {@return numbers as doubles, one after the other}
     *
     * @param numbers each less than 2<sup>53</sup> away from 0
     */
    public static byte[] packed(long... numbers) {
        byte[] bytes = new byte[8 * numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            put(bytes, 8 * i, numbers[i]);
        }
        return bytes;
    }

    /** Writes a number into an argument. */
    static void put(byte[] bytes, int at, long number) {
        NUMBERS.set(bytes, at, (double) number);
    }

    /**
     * {@return a copy that ends with more bytes}
     *
     * @param packed the beginning
     * @param more the end
     */
    public static byte[] joined(byte[] packed, byte... more) {
        byte[] all = Arrays.copyOf(packed, packed.length + more.length);
        System.arraycopy(more, 0, all, packed.length, more.length);
        return all;
    }
}
