package dev.limiter.redis.internal.script;

import dev.limiter.spi.algorithm.StateKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** A Lua program, joined and hashed once. */
public record Program(byte[] text, byte[] sha1) {
    private static final List<String> SETTLEMENTS = List.of(
            "settlement/concurrency.lua",
            "settlement/gate.lua",
            "settlement/gcra.lua",
            "settlement/interval.lua",
            "settlement/windows.lua",
            "settle.lua");

    private static final AtomicReferenceArray<Program> DECISIONS = new AtomicReferenceArray<>(StateKind.ALL + 1);

    /**
     * The program that decides with some algorithms: these in alphabetical order, the dispatch, then the driver. Every function
     * costs each call its making, so no call brings what it does not need; and one algorithm alone needs no dispatch.
     *
     * @param algorithms the {@linkplain StateKind#bit bits} of at least one
     */
    public static Program decisions(int algorithms) {
        Program known = DECISIONS.get(algorithms);
        if (known != null) {
            return known;
        }
        Program made = of(joined(algorithms) + dispatch(algorithms) + read("driver.lua"));
        return DECISIONS.compareAndSet(algorithms, null, made) ? made : DECISIONS.get(algorithms);
    }

    /** The program for what comes afterwards: all algorithms, the dispatch, every settlement, then its own driver. */
    public static Program settlements() {
        StringBuilder text = new StringBuilder(joined(StateKind.ALL)).append(read("dispatch.lua"));
        SETTLEMENTS.forEach(file -> text.append(read(file)));
        return of(text.toString());
    }

    /** The program that finds out what the user may not run. */
    public static Program permissions() {
        return of(read("permissions.lua"));
    }

    private static String joined(int algorithms) {
        StringBuilder text = new StringBuilder();
        for (StateKind file : StateKind.values()) {
            if ((algorithms & file.bit()) != 0) {
                text.append(read("algorithm/" + file.title() + ".lua"));
            }
        }
        return text.toString();
    }

    private static String dispatch(int algorithms) {
        for (StateKind file : StateKind.values()) {
            if (algorithms == file.bit()) {
                return "local read, charge = " + file.title() + "_read, " + file.title() + "_charge\n";
            }
        }
        return read("dispatch.lua");
    }

    public static Program of(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try {
            byte[] hash = MessageDigest.getInstance("SHA-1").digest(bytes);
            return new Program(bytes, HexFormat.of().formatHex(hash).getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-1", impossible);
        }
    }

    private static String read(String file) {
        try (InputStream in = Program.class.getResourceAsStream("/dev/limiter/redis/lua/" + file)) {
            if (in == null) {
                throw new IllegalStateException("the class path lacks the script dev/limiter/redis/lua/" + file);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
