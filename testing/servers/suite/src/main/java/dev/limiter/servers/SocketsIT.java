package dev.limiter.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/** Limits on the messages of a WebSocket whose endpoint is a bean. */
@ExtendWith(ArquillianExtension.class)
@EnabledIfSystemProperty(named = "server.sockets", matches = "true")
class SocketsIT {

    @ArquillianResource
    private URL server;

    @Deployment(testable = false)
    static WebArchive deploy() {
        return Wars.addCalls(Wars.of("sockets", Map.of(), "LimitedChat"));
    }

    /** The client's end. */
    private static final class Listener implements WebSocket.Listener {
        private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
            heard.add(text.toString());
            return WebSocket.Listener.super.onText(from, text, last);
        }

        String answer(WebSocket socket, String text) throws InterruptedException {
            socket.sendText(text, true).join();
            return heard.poll(1, TimeUnit.MINUTES);
        }
    }

    @Test
    void thirdMessageGoesToTheHandlerOfErrors() throws Exception {
        Listener client = new Listener();
        URI chat = URI.create(server.toString().replaceFirst("http", "ws") + "chat");
        WebSocket socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(chat, client)
                .join();
        assertThat(client.answer(socket, "one")).isEqualTo("heard one");
        assertThat(client.answer(socket, "two")).isEqualTo("heard two");
        assertThat(client.answer(socket, "three")).startsWith("rate limit reached: chat; retry in PT");
        assertThat(client.answer(socket, "four")).startsWith("rate limit reached: chat; retry in PT");
        socket.abort();
    }
}
