import static dev.limiter.Algorithm.TOKEN_BUCKET;

import dev.limiter.RateLimited;
import dev.limiter.jaxrs.RateLimits;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.ClientErrorException;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.io.InputStream;

/** Uploads that cost a unit for each byte; one that is longer than it announced gets a 413. */
@Path("pictures")
@RequestScoped
public class PictureResource {
    @Inject
    RateLimits limits;

    @PUT
    @RateLimited(name = "upload", key = "{user|ip}", algorithm = TOKEN_BUCKET,
            limit = 100_000_000, window = "1h", cost = "0")
    public String upload(@HeaderParam("Content-Length") @DefaultValue("10000000") long most, InputStream body)
            throws IOException {
        limits.reserve("upload", most); // 429 before a byte is read
        long read = 0;
        try {
            for (int size; read <= most && (size = body.readNBytes(8192).length) > 0; ) {
                read += size; // and keep the bytes
            }
        } finally {
            limits.settle("upload", Math.min(read, Integer.MAX_VALUE)); // also if the client has left
        }
        if (read > most) {
            throw new ClientErrorException(413);
        }
        return read + " bytes";
    }
}
