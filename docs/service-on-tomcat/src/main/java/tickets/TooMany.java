package tickets;

import dev.limiter.RateLimitExceededException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

@Provider
public class TooMany implements ExceptionMapper<RateLimitExceededException> {

    @Override
    public Response toResponse(RateLimitExceededException exceeded) {
        String body = "{\"error\":\"too many requests\",\"retryAfterSeconds\":" + exceeded.retryAfterSeconds() + "}\n";
        return Response.status(429)
                .type(MediaType.APPLICATION_JSON_TYPE)
                .entity(body)
                .build();
    }
}
