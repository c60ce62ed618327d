package dev.limiter.servers.war;

import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.io.InputStream;

/** Takes uploads, read by Jakarta REST or by the method. */
@Path("upload")
@Uploaded
public class UploadResource {
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
