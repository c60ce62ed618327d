package tickets;

import dev.limiter.StoreUnavailableException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

@Provider
public class NotNow implements ExceptionMapper<StoreUnavailableException> {

    @Override
    public Response toResponse(StoreUnavailableException away) {
        return Response.status(503)
                .header(HttpHeaders.RETRY_AFTER, away.retryAfterSeconds())
                .type(MediaType.APPLICATION_JSON_TYPE)
                .entity("{\"error\":\"no decision\",\"retryAfterSeconds\":" + away.retryAfterSeconds() + "}\n")
                .build();
    }
}
