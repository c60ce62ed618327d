package dev.limiter.servers;

import java.io.IOException;
import java.net.Socket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * A request that no client library has corrected.
 *
 * @param method as it is written
 * @param target what stands after it; a path of the application unless it begins with
 *     {@code http:}
 * @param header one more line; empty for none
 */
record RawRequest(String method, String target, String header) {

    /** The whole response, byte by byte. */
    record RawResponse(String text) {

        /** 0 if the connection was closed without an answer. */
        int status() {
            return text.isEmpty() ? 0 : Integer.parseInt(text.split(" ", 3)[1]);
        }

        /** The value of a header. */
        Optional<String> header(String name) {
            String before = name.toLowerCase(Locale.ROOT) + ": ";
            return text.lines()
                    .takeWhile(line -> !line.isEmpty())
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(before))
                    .map(line -> line.substring(before.length()))
                    .findFirst();
        }
    }

    /** Sends it as it is, byte by byte. */
    RawResponse to(URL application) throws IOException {
        String path = target.startsWith("http:") ? target : application.getPath() + target;
        String request = method + " " + path + " HTTP/1.1\r\nHost: " + application.getAuthority()
                + "\r\nConnection: close\r\n" + (header.isEmpty() ? "" : header + "\r\n") + "\r\n";
        try (Socket client = new Socket(application.getHost(), application.getPort())) {
            client.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            return new RawResponse(new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
