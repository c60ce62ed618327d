package dev.limiter.example;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** The zoo's REST application; it lists no classes, so that the server finds resources and providers itself. */
@ApplicationPath("/api")
public class ZooApplication extends Application {}
