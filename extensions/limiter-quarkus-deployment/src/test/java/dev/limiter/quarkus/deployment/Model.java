package dev.limiter.quarkus.deployment;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.stream.Stream;

/** A client of MCP's streamable HTTP, as a model has it. */
record Model(URI server, String[] headers) {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** Begins a session of a user, whose password is the name. */
    static Model of(URI root, String user) throws IOException, InterruptedException {
        String[] headers = Stream.of(
                        Stream.of(Client.basic(user, user)),
                        Stream.of("Content-Type", "application/json"),
                        Stream.of("Accept", "application/json, text/event-stream"))
                .flatMap(each -> each)
                .toArray(String[]::new);
        Model stranger = new Model(root.resolve("/mcp"), headers);
        String session =
                stranger.send("""
                        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18",
                        "capabilities": {}, "clientInfo": {"name": "model", "version": "1"}}}""").headers().firstValue("Mcp-Session-Id").orElseThrow();
        Model model = new Model(
                stranger.server,
                Stream.concat(Stream.of(headers), Stream.of("Mcp-Session-Id", session))
                        .toArray(String[]::new));
        model.send("{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}");
        return model;
    }

    /** The result of a tool, or an error, as JSON. */
    String call(String tool) throws IOException, InterruptedException {
        return send("""
                {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "%s", "arguments": {}}}""".formatted(tool)).body();
    }

    private HttpResponse<String> send(String message) throws IOException, InterruptedException {
        return HTTP.send(
                HttpRequest.newBuilder(server)
                        .headers(headers)
                        .POST(BodyPublishers.ofString(message))
                        .build(),
                BodyHandlers.ofString());
    }
}
