package dev.limiter.quarkus.deployment;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The client's end of a WebSocket. */
final class Listener implements WebSocket.Listener {
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final WebSocket socket;

    /** Connects as a user, whose password is the name. */
    Listener(URI root, String path, String user) {
        String[] basic = Client.basic(user, user);
        socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .header(basic[0], basic[1])
                .buildAsync(URI.create(root.resolve(path).toString().replaceFirst("http", "ws")), this)
                .join();
    }

    /** What the server sends next: a text, or how it closes. */
    String answer(String text) throws InterruptedException {
        socket.sendText(text, true).join();
        return heard.poll(1, TimeUnit.MINUTES);
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
        heard.add(text.toString());
        return WebSocket.Listener.super.onText(from, text, last);
    }

    @Override
    public CompletionStage<?> onClose(WebSocket from, int status, String reason) {
        heard.add("closed " + status + ' ' + reason);
        return null;
    }
}
