package dev.limiter.servers.war;

import dev.limiter.operations.CallerLimits;
import jakarta.ws.rs.Path;

/** For each caller its own. */
@Path("limits/me")
public class OwnLimitsResource extends CallerLimits {}
