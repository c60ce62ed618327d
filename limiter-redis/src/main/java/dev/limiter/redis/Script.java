package dev.limiter.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** A Lua program, joined and hashed once. */
record Script(byte[] text, byte[] sha1) {
    private static final List<String> ALGORITHMS = List.of(
            "algorithm/concurrency.lua",
            "algorithm/fixed_window.lua",
            "algorithm/gcra.lua",
            "algorithm/interval.lua",
            "algorithm/sliding_log.lua",
            "algorithm/sliding_window.lua",
            "dispatch.lua");

    private static final List<String> SETTLEMENTS = List.of(
            "settlement/concurrency.lua",
            "settlement/gcra.lua",
            "settlement/interval.lua",
            "settlement/windows.lua",
            "settle.lua");

    /** The program that decides: every algorithm in alphabetical order, the dispatch, then the driver. */
    static Script decisions() {
        return of(joined(ALGORITHMS) + read("driver.lua"));
    }

    /** The program for what comes afterwards: the same algorithms and dispatch, every settlement, then its own driver. */
    static Script settlements() {
        return of(joined(ALGORITHMS) + joined(SETTLEMENTS));
    }

    /** The program that finds out what the user may not run. */
    static Script permissions() {
        return of(read("permissions.lua"));
    }

    private static String joined(List<String> files) {
        StringBuilder text = new StringBuilder();
        for (String file : files) {
            text.append(read(file));
        }
        return text.toString();
    }

    static Script of(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try {
            byte[] hash = MessageDigest.getInstance("SHA-1").digest(bytes);
            return new Script(bytes, HexFormat.of().formatHex(hash).getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-1", impossible);
        }
    }

    private static String read(String file) {
        try (InputStream in = Script.class.getResourceAsStream("lua/" + file)) {
            if (in == null) {
                throw new IllegalStateException("the class path lacks the script dev/limiter/redis/lua/" + file);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
