package dev.limiter.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.limiter.RateLimitExceededException;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Limits on beans in ArC: a service, an observer, a job, a WebSocket, and tools of an MCP server. */
class BeansTest {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final String REACHED =
            "The rate limit of this tool is reached. Do not call it again within the next ";

    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = Users.with(Redis.with(new QuarkusUnitTest()
            .withApplicationRoot(jar -> jar.addClasses(Client.class, Redis.class, Users.class)
                    .addClasses(Beans.class)
                    .addClasses(Beans.class.getDeclaredClasses()))));

    @TestHTTPResource
    URI root;

    @Inject
    Beans.Service service;

    @Inject
    Event<Beans.Message> messages;

    @Test
    void serviceIsLimitedByItsParameter() {
        service.send("ann");
        service.send("ann");
        assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> service.send("ann"));
        assertThat(service.send("bob")).isEqualTo("sent");
    }

    @Test
    void observerHearsWhatItsLimitAdmits() {
        messages.fire(new Beans.Message());
        assertThatExceptionOfType(RateLimitExceededException.class)
                .isThrownBy(() -> messages.fire(new Beans.Message()));
        assertThat(Beans.Service.HEARD).hasValue(1);
    }

    @Test
    void jobRunsOnceHoweverOftenItIsDue() {
        await().until(() -> Beans.Job.DUE.get() >= 3);
        assertThat(Beans.Job.RAN).hasValue(1);
    }

    @Test
    void methodOfAWebSocketIsLimited() throws Exception {
        BlockingQueue<String> answers = new LinkedBlockingQueue<>();
        WebSocket socket = HTTP.newWebSocketBuilder()
                .buildAsync(URI.create("ws://" + root.getAuthority() + "/echo"), new WebSocket.Listener() {
                    @Override
                    public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
                        answers.add(text.toString());
                        from.request(1);
                        return null;
                    }
                })
                .get(30, TimeUnit.SECONDS);
        for (String expected : new String[] {"a", "a", "come back in "}) {
            socket.sendText("a", true).get(30, TimeUnit.SECONDS);
            assertThat(answers.poll(30, TimeUnit.SECONDS)).startsWith(expected);
        }
        socket.abort();
    }

    @Test
    void fourthCallOfAToolTellsTheModelWhenToComeBackAndAnotherUserPasses() {
        Session ann = new Session("ann");
        for (int i = 0; i < 3; i++) {
            assertThat(ann.call("weather", "city")).contains("\"isError\":false", "sun in x");
        }
        assertThat(ann.call("weather", "city")).contains("\"isError\":true", REACHED);
        assertThat(new Session("bob").call("weather", "city")).contains("\"isError\":false");
    }

    @Test
    void toolThatReturnsAUniRunsOnTheEventLoopAndIsLimited() {
        Session ann = new Session("ann");
        for (int i = 0; i < 3; i++) {
            assertThat(ann.call("later", "city")).contains("\"isError\":false", "vert.x-eventloop-thread");
        }
        assertThat(ann.call("later", "city")).contains("\"isError\":true", REACHED);
        assertThat(new Session("bob").call("later", "city")).contains("\"isError\":false");
    }

    @Test
    void toolTellsOfTheLimitOfAServiceThatItCalls() {
        Session ann = new Session("ann");
        assertThat(ann.call("send", "to")).contains("\"isError\":false", "sent");
        assertThat(ann.call("send", "to")).contains("\"isError\":false", "sent");
        assertThat(ann.call("send", "to")).contains("\"isError\":true", REACHED);
    }

    /** A client of the MCP server, over streamable HTTP. */
    private final class Session {
        private final String user;
        private final String id;

        Session(String user) {
            this.user = user;
            HttpResponse<String> begun = post("", """
                    {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26",\
                    "capabilities":{},"clientInfo":{"name":"test","version":"1"}}}""");
            this.id = begun.headers().firstValue("Mcp-Session-Id").orElseThrow();
            post(id, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        }

        /** Calls a tool with the one argument "x". */
        String call(String tool, String parameter) {
            return post(
                            id,
                            "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
                                    + "\",\"arguments\":{\"" + parameter + "\":\"x\"}}}")
                    .body();
        }

        private HttpResponse<String> post(String session, String message) {
            HttpRequest.Builder request = HttpRequest.newBuilder(root.resolve("/mcp"))
                    .header("Content-Type", "application/json")
                    .header("Accept", "application/json, text/event-stream")
                    .headers(Client.basic(user, user))
                    .POST(HttpRequest.BodyPublishers.ofString(message));
            if (!session.isEmpty()) {
                request.header("Mcp-Session-Id", session);
            }
            try {
                return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
            } catch (Exception failed) {
                throw new AssertionError(failed);
            }
        }
    }
}
