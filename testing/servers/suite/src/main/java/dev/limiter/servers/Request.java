package dev.limiter.servers;

import java.net.URI;
import java.net.URL;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Map;

/** A request to an application; it is sent when its method is named. Paths are sent as written. */
final class Request {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final URL application;
    private final HttpRequest.Builder request =
            HttpRequest.newBuilder().header("Accept", "*/*").timeout(PATIENCE);
    private BodyPublisher body = BodyPublishers.noBody();

    Request(URL application) {
        this.application = application;
    }

    Request header(String name, String value) {
        request.setHeader(name, value);
        return this;
    }

    Request headers(Map<String, String> headers) {
        headers.forEach(this::header);
        return this;
    }

    Request contentType(String type) {
        return header("Content-Type", type);
    }

    Request body(String text) {
        body = BodyPublishers.ofString(text);
        return this;
    }

    Response get(String path) {
        return request("GET", path);
    }

    Response head(String path) {
        return request("HEAD", path);
    }

    Response options(String path) {
        return request("OPTIONS", path);
    }

    Response put(String path) {
        return request("PUT", path);
    }

    Response post(String path) {
        return request("POST", path);
    }

    Response delete(String path) {
        return request("DELETE", path);
    }

    Response request(String method, String path) {
        return new Response(Http.send(
                request.uri(URI.create(application + path)).method(method, body).build()));
    }
}
