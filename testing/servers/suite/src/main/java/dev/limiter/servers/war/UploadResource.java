package dev.limiter.servers.war;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Takes uploads, read by Jakarta REST or by the method, and gives back much. */
@Path("upload")
@Uploaded
public class UploadResource {
    @GET
    @Path("much")
    public StreamingOutput much() {
        byte[] block = "x".repeat(50_000).getBytes(StandardCharsets.US_ASCII);
        return output -> {
            for (int i = 0; i < 1_000; i++) {
                output.write(block);
            }
        };
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
