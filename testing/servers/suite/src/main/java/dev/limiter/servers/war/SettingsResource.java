package dev.limiter.servers.war;

import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import org.eclipse.microprofile.config.ConfigProvider;

/** Changes settings of the running server, which may be another process than the tests. */
@Path("settings/{name}")
public class SettingsResource {

    /** The value that the library would read. */
    @GET
    public String get(@PathParam("name") String name) {
        return ConfigProvider.getConfig().getOptionalValue(name, String.class).orElse("not set");
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
