package dev.limiter.testkit;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Reads the replies of RESP2, the protocol of Redis.
 *
 * <pre>
 * +OK            "OK"
 * :42            "42"
 * $3 foo         "foo"
 * $-1, *-1       null
 * *2 :1 $1 a     List.of("1", "a")
 * -ERR text      a {@link RedisErrorException}, returned and not thrown: an error may be part of a list
 * </pre>
 */
final class RespReader {

    private final InputStream in;

    RespReader(InputStream in) {
        this.in = new BufferedInputStream(in);
    }

    /**
     * @return a {@code String}, a {@code List}, {@code null} or a {@link RedisErrorException}
     * @throws IOException if the stream ends, or what comes is no RESP2
     */
    Object read() throws IOException {
        String line = readLine();
        if (line.isEmpty()) {
            throw new IOException("an empty line is no reply");
        }
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+', ':' -> rest;
            case '-' -> new RedisErrorException(rest);
            case '$' -> readBulk(length(rest));
            case '*' -> readList(length(rest));
            default -> throw new IOException("no reply begins like this: " + line);
        };
    }

    private String readBulk(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length || !readLine().isEmpty()) {
            throw new EOFException("a text of " + length + " bytes ended after " + bytes.length);
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private List<Object> readList(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        List<Object> elements = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
            elements.add(read());
        }
        return Collections.unmodifiableList(elements);
    }

    private static int length(String text) throws IOException {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException wrong) {
            throw new IOException("not a length: " + text, wrong);
        }
    }

    private String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the connection ended after \"" + line + "\"");
            }
            line.append((char) c);
        }
        if (line.isEmpty() || line.charAt(line.length() - 1) != '\r') {
            throw new IOException("a line without CR: " + line);
        }
        return line.substring(0, line.length() - 1);
    }
}
