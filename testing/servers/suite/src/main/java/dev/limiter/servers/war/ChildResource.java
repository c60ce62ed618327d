package dev.limiter.servers.war;

import jakarta.ws.rs.Path;

/** Has its limits, and its method, from its parent. */
@Path("child")
public class ChildResource extends ParentResource {}
