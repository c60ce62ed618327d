package dev.limiter.redis.internal.script;

import dev.limiter.internal.algorithm.StateKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A Lua program, joined and hashed once. */
public record Program(byte[] text, byte[] sha1) {
    /** The line in the file of an algorithm behind which everything is for adjustments only. */
    private static final String ADJUSTMENT = "-- ADJUSTMENT";

    private static final AtomicReferenceArray<Program> DECISIONS = new AtomicReferenceArray<>(StateKind.ALL + 1);

    /**
     * The program that decides with some algorithms: their files down to the adjustments, the
     * dispatch, the driver, the batch. Each call makes a closure of every function, so a program
     * has only functions that its calls need.
     *
     * @param algorithms the {@linkplain StateKind#bit bits} of at least one
     */
    public static Program decisions(int algorithms) {
        Program known = DECISIONS.get(algorithms);
        if (known != null) {
            return known;
        }
        StringBuilder text = new StringBuilder();
        for (StateKind kind : kinds(algorithms)) {
            String file = read(kind);
            text.append(file, 0, file.indexOf(ADJUSTMENT));
        }
        Program made = of(text + decisionDispatch(kinds(algorithms)) + read("driver.lua") + read("batch.lua"));
        return DECISIONS.compareAndSet(algorithms, null, made) ? made : DECISIONS.get(algorithms);
    }

    /**
     * The program that charges without asking and gives back: the whole files of all algorithms,
     * the dispatch, then its driver.
     */
    public static Program adjustments() {
        List<StateKind> all = kinds(StateKind.ALL);
        StringBuilder text = new StringBuilder();
        all.forEach(kind -> text.append(read(kind)));
        text.append(decisionDispatch(all));
        text.append(dispatch("debt", "key, now, a, cost, found1, found2, found3", all));
        text.append(dispatch("refund", "key, now, a", all));
        return of(text + read("adjust.lua"));
    }

    /** A program of one file, such as {@code usage.lua}. */
    public static Program ofFile(String name) {
        return of(read(name));
    }

    private static List<StateKind> kinds(int algorithms) {
        return Stream.of(StateKind.values())
                .filter(kind -> (algorithms & kind.bit()) != 0)
                .toList();
    }

    private static String decisionDispatch(List<StateKind> kinds) {
        if (kinds.size() == 1) {
            String title = kinds.get(0).title();
            return "local read, charge = " + title + "_read, " + title + "_charge\n";
        }
        return dispatch("read", "key, now, a, peek", kinds)
                + dispatch("charge", "key, now, a, times, cost, found1, found2, found3", kinds);
    }

    /**
     * A function that calls the function of the algorithm that the argument at {@code a} names.
     */
    private static String dispatch(String function, String parameters, List<StateKind> kinds) {
        StringBuilder text = new StringBuilder("local function " + function + "(" + parameters + ")\n");
        text.append("  local algorithm = ARGV[a]\n");
        String next = "  if ";
        for (StateKind kind : kinds) {
            String isOne = kind.words().stream()
                    .map(word -> "algorithm == '" + word + "'")
                    .collect(Collectors.joining(" or "));
            text.append(next).append(isOne).append(" then\n    return ");
            text.append(kind.title())
                    .append('_')
                    .append(function)
                    .append('(')
                    .append(parameters)
                    .append(")\n");
            next = "  elseif ";
        }
        return text + "  end\n  error('argument ' .. a .. ' is no algorithm')\nend\n\n";
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

    private static String read(StateKind kind) {
        return read("algorithm/" + kind.title() + ".lua");
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
