package dev.limiter.example.wars;

import dev.limiter.jaxrs.RateLimitRejection;
import dev.limiter.jaxrs.StoreBreakerTransition;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Writes down what it observes, and fails at it. */
@ApplicationScoped
public class Observers {
    private final List<String> observed = new CopyOnWriteArrayList<>();

    void rejected(@Observes RateLimitRejection rejection) {
        observed.add(rejection.failing().get(0).policy().name() + ' ' + rejection.fallback());
        throw new IllegalStateException("an observer that fails");
    }

    void moved(@Observes StoreBreakerTransition transition) {
        observed.add(transition.node() + ' ' + transition.open() + ' ' + transition.reason());
    }

    /** So far, one for each line. */
    public String observed() {
        return String.join("\n", observed);
    }
}
