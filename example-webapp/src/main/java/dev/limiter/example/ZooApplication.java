package dev.limiter.example;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.Map;

/** The zoo's REST application; it lists no classes, so that the server finds resources and providers itself. */
@ApplicationPath("/api")
public class ZooApplication extends Application {

    /** On Jersey, no WADL: it needs JAXB, and warns where there is none. */
    @Override
    public Map<String, Object> getProperties() {
        return Map.of("jersey.config.server.wadl.disableWadl", true);
    }
}
