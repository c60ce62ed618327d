package dev.limiter.example;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.Map;
import java.util.Set;

/**
 * The zoo's REST application.
 *
 * <p>It lists its classes, since scanning is not safe here: Jetty also finds Jersey's own
 * providers and hands them over as if they were the application's, among them a second JSON
 * writer, {@code FilteringJacksonJaxbJsonProvider}, which works only with a feature that is off.
 * In one start of ten it comes first, and every JSON answer is a 500. The limiter does not
 * depend on scanning.
 */
@ApplicationPath("/api")
public class ZooApplication extends Application {

    @Override
    public Set<Class<?>> getClasses() {
        return Set.of(
                DemoUsers.class,
                AnimalResource.class,
                TicketResource.class,
                FeedingOrderResource.class,
                KeeperResource.class,
                TigerFeedingResource.class,
                StrategyResource.class,
                PlanResource.class,
                AnswerResource.class,
                PolicyResource.class,
                KeeperLimits.class,
                VisitorLimits.class,
                MarkResource.class,
                MarkFilter.class,
                HealthResource.class);
    }

    /**
     * On Jersey, no WADL: it needs JAXB, and warns where there is none. And no buffer: it would
     * keep back the first 8 KiB of a stream, also when the stream is flushed.
     */
    @Override
    public Map<String, Object> getProperties() {
        return Map.of("jersey.config.server.wadl.disableWadl", true, "jersey.config.server.contentLength.buffer", 0);
    }
}
