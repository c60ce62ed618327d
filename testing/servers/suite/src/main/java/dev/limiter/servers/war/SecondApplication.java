package dev.limiter.servers.war;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.Set;

/** The other of two applications of a WAR, with the same resource. */
@ApplicationPath("second")
public class SecondApplication extends Application {
    @Override
    public Set<Class<?>> getClasses() {
        return Set.of(KeysResource.class);
    }
}
