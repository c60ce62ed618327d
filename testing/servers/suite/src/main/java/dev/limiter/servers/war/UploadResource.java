package dev.limiter.servers.war;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.io.InputStream;

/** Takes uploads, read by Jakarta REST or by the method, and gives back much. */
@Path("upload")
@Uploaded
public class UploadResource {
    @GET
    @Path("much")
    public String much() {
        return "x".repeat(50_000_000);
    }

    @POST
    @Path("bytes")
    public int bytes(byte[] body) {
        return body.length;
    }

    @POST
    @Path("text")
    public int text(String body) {
        return body.length();
    }

    @POST
    @Path("stream")
    public int stream(InputStream body) throws IOException {
        return body.readAllBytes().length;
    }
}
