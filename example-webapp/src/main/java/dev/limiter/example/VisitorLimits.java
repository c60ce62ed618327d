package dev.limiter.example;

import dev.limiter.operations.CallerLimits;
import jakarta.ws.rs.Path;

/** Tells each visitor what is left of its limits. */
@Path("limits/me")
public class VisitorLimits extends CallerLimits {}
