package dev.limiter.example;

import static dev.limiter.Algorithm.TOKEN_BUCKET;

import dev.limiter.RateLimited;
import dev.limiter.jaxrs.RateLimits;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Answers questions word by word, as a language model does. A caller pays by the token. The
 * method charges an estimate first, and corrects it when the length of the answer is known.
 */
@Path("answers")
@RequestScoped
@Consumes(MediaType.TEXT_PLAIN)
@Produces("application/x-ndjson")
public class AnswerResource {
    private static final int LONGEST_QUESTION = 2_000;
    private static final long TOKENS_OF_LONGEST_ANSWER = 250;
    private static final long MILLIS_PER_WORD = 60;

    @Inject
    RateLimits limits;

    @Inject
    Zoo zoo;

    /** Lines of JSON: the estimate; each word; what was used, and what is left. */
    @POST
    @RateLimited(name = "tokens", key = "{user|ip}", algorithm = TOKEN_BUCKET, limit = 600, window = "1m", cost = "0")
    public StreamingOutput answer(String question) {
        if (question.isBlank() || question.length() > LONGEST_QUESTION) {
            throw new BadRequestException("a question has 1 to " + LONGEST_QUESTION + " characters");
        }
        long estimate = tokens(question.length()) + TOKENS_OF_LONGEST_ANSWER;
        limits.reserve("tokens", estimate); // throws what the filter would answer
        return output -> {
            int length = 0;
            try {
                writeLine(output, "{\"estimate\":" + estimate + "}");
                for (String word : zoo.tellOf(question).split("(?<= )")) {
                    awaitWord();
                    length += word.length();
                    writeLine(output, "{\"text\":\"" + word + "\"}"); // the zoo's words need no escapes
                }
            } finally {
                limits.settle("tokens", used(question, length)); // also when the caller has left
            }
            writeLine(output, "{\"used\":" + used(question, length) + ",\"left\":" + limits.remaining("tokens") + "}");
        };
    }

    private static long used(String question, int lengthOfAnswer) {
        return tokens(question.length()) + tokens(lengthOfAnswer);
    }

    /** A token is about four characters. */
    private static long tokens(int characters) {
        return (characters + 3) / 4;
    }

    private static void awaitWord() throws InterruptedIOException {
        try {
            TimeUnit.MILLISECONDS.sleep(MILLIS_PER_WORD);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the zoo closes");
        }
    }

    private static void writeLine(OutputStream output, String line) throws IOException {
        output.write((line + '\n').getBytes(StandardCharsets.UTF_8));
        output.flush();
    }
}
