package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.websocket.OnError;
import jakarta.websocket.OnMessage;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerEndpoint;
import java.io.IOException;

/** A WebSocket whose messages have a limit. */
@ServerEndpoint("/chat")
@ApplicationScoped
public class LimitedChat {

    @OnMessage
    @RateLimited(name = "chat", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 2, window = "1h")
    public String heard(String text) {
        return "heard " + text;
    }

    @OnError
    public void failed(Session session, Throwable thrown) throws IOException {
        session.getBasicRemote().sendText(thrown.getMessage());
    }
}
