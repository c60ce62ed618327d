package dev.limiter.outbound;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A partner over HTTP. It answers every request with the same status and headers, and counts
 * requests.
 */
public final class Partner implements AutoCloseable {
    private final HttpServer server;
    private final AtomicInteger calls = new AtomicInteger();
    private volatile int status = 204;
    private volatile Map<String, String> fields = Map.of();

    public Partner() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            calls.incrementAndGet();
            fields.forEach(exchange.getResponseHeaders()::add);
            byte[] body = status == 204 ? new byte[0] : "heard".getBytes(StandardCharsets.US_ASCII);
            exchange.getResponseHeaders().add("Content-Type", "text/plain");
            exchange.sendResponseHeaders(status, status == 204 ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    /** Sets the response from now on. */
    public void answers(int with, Map<String, String> having) {
        status = with;
        fields = having;
    }

    public int calls() {
        return calls.get();
    }

    public URI uri() {
        return URI.create("http://localhost:" + server.getAddress().getPort() + "/parcels");
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
