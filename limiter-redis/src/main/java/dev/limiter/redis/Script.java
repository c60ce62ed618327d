package dev.limiter.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** The one Lua program, joined and hashed once: every algorithm file in alphabetical order, then the driver. */
record Script(byte[] text, byte[] sha1) {
    private static final List<String> FILES =
            List.of("algorithm/fixed_window.lua", "algorithm/gcra.lua", "algorithm/sliding_log.lua", "driver.lua");

    /** The program as it is shipped. */
    static Script shipped() {
        StringBuilder text = new StringBuilder();
        for (String file : FILES) {
            text.append(read(file));
        }
        return of(text.toString());
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
