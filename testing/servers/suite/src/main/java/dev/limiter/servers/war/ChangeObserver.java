package dev.limiter.servers.war;

import dev.limiter.operations.LimitChange;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Tells what it has heard of changes. */
@ApplicationScoped
@Path("changes")
public class ChangeObserver {
    private final Queue<String> heard = new ConcurrentLinkedQueue<>();

    void hear(@Observes LimitChange change) {
        heard.add(change.kind() + " " + change.policy() + " " + change.values() + " by " + change.by());
    }

    @GET
    public String heard() {
        return String.join("\n", heard);
    }
}
