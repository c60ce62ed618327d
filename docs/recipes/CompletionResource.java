import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.TOKEN_BUCKET;

import dev.limiter.RateLimited;
import dev.limiter.jaxrs.RateLimits;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.StreamingOutput;
import java.nio.charset.StandardCharsets;

/**
 * Answers of a language model, which cost what they have used. Jersey keeps back the first 8 KiB of
 * a stream, unless {@code jersey.config.server.contentLength.buffer} is 0.
 */
@Path("completions")
@RequestScoped
public class CompletionResource {
    @Inject
    RateLimits limits;

    @POST
    @RateLimited(name = "calls", key = "{user|ip}", algorithm = GCRA, limit = 60, window = "1m")
    @RateLimited(name = "tokens", key = "{user|ip}", algorithm = TOKEN_BUCKET,
            limit = 10_000, window = "1m",
            cost = "0",       // the filter charges nothing; it chooses key and tier
            countOn = "!5xx") // without settlement, an error gives the estimate back
    public StreamingOutput complete(String question) {
        limits.reserve("tokens", question.length() + 500);
        return body -> {
            byte[] answer = question.toUpperCase().getBytes(StandardCharsets.UTF_8);
            try {
                body.write(answer);
            } finally {
                limits.settle("tokens", question.length() + answer.length); // also if the client has left
            }
        };
    }
}
