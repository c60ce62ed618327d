package dev.limiter.servers.war;

import dev.limiter.jaxrs.internal.bootstrap.ExtensionAccess;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;

/** Changes settings of the running server, which may be another process than the tests. */
@Path("settings/{name}")
public class SettingsResource {

    /** The value that the library would read. */
    @GET
    public String get(@PathParam("name") String name) {
        return ExtensionAccess.settings().value(name).orElse("not set");
    }

    @PUT
    public void set(@PathParam("name") String name, String value) {
        System.setProperty(name, value);
    }

    @DELETE
    public void clear(@PathParam("name") String name) {
        System.clearProperty(name);
    }
}
