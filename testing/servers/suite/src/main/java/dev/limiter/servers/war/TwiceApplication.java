package dev.limiter.servers.war;

import dev.limiter.jaxrs.RateLimitFeature;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.Set;

/** Registers what is found without it. */
@ApplicationPath("/")
public class TwiceApplication extends Application {

    @Override
    public Set<Class<?>> getClasses() {
        return Set.of(AnswersResource.class, EndsResource.class, RateLimitFeature.class);
    }
}
