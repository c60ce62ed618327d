package dev.limiter.servers.war;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** Lists nothing: the server finds what is in the WAR. */
@ApplicationPath("/")
public class SuiteApplication extends Application {}
