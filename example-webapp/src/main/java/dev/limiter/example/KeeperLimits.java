package dev.limiter.example;

import dev.limiter.operations.LimitsResource;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Path;

/** Lets the keeper see who is rejected, change limits on all instances, and forgive a visitor. */
@Path("limits")
@RolesAllowed("keeper")
public class KeeperLimits extends LimitsResource {}
