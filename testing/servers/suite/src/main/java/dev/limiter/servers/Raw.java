package dev.limiter.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URL;
import java.nio.charset.StandardCharsets;

/** Sends requests that no library would send. */
final class Raw {
    private static final int PATIENCE_MILLIS = 25_000;

    private Raw() {}

    /**
     * All that the server sends, until it closes the connection.
     *
     * @param fields of the header, each with its line end
     */
    static String exchange(URL application, String method, String path, String fields) {
        try (Socket client = send(application, method, path, fields + "Connection: close\r\n")) {
            return new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /**
     * The first line of the response, whatever of the request has been sent by then. An
     * invitation to go on is none: Open Liberty sends it to each client that expects it, before
     * it asks a filter.
     */
    static String statusLine(URL application, String method, String path, String fields) {
        try (Socket client = send(application, method, path, fields)) {
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
            String line = lines.readLine();
            while (line != null && (!line.startsWith("HTTP/") || line.startsWith("HTTP/1.1 100"))) {
                line = lines.readLine();
            }
            return line;
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Sends a header, and no body. */
    private static Socket send(URL application, String method, String path, String fields) throws IOException {
        Socket client = new Socket(application.getHost(), application.getPort());
        client.setSoTimeout(PATIENCE_MILLIS);
        String header =
                method + ' ' + application.getPath() + path + " HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n";
        client.getOutputStream().write(header.getBytes(StandardCharsets.ISO_8859_1));
        return client;
    }
}
