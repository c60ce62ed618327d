package dev.limiter.servers.war;

import dev.limiter.jaxrs.RateLimitRejection;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records rejections, and then throws. */
@ApplicationScoped
public class RejectionObserver {
    private final List<String> rejected = new CopyOnWriteArrayList<>();

    void rejected(@Observes RateLimitRejection rejection) {
        rejection.failing().forEach(answer -> rejected.add(answer.policy().name()));
        throw new IllegalStateException("an observer that fails");
    }

    /** Policies that rejected, in their order. */
    public String rejected() {
        return String.join(" ", rejected);
    }
}
