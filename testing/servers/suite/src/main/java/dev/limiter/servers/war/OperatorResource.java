package dev.limiter.servers.war;

import dev.limiter.operations.LimitsResource;
import jakarta.ws.rs.Path;

/** For operators alone, as a setting says: Payara asks for its own log-in where it is annotated. */
@Path("limits")
public class OperatorResource extends LimitsResource {}
