package dev.limiter.servers.war;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.Set;

/** One of two applications of a WAR. */
@ApplicationPath("first")
public class FirstApplication extends Application {
    @Override
    public Set<Class<?>> getClasses() {
        return Set.of(KeysResource.class);
    }
}
