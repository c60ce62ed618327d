package dev.limiter.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.response.Response;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads responses. */
final class Http {
    private Http() {}

    /** The {@code r} of a policy in the RateLimit field. */
    static int remaining(Response response, String policy) {
        String field = response.header("RateLimit");
        Matcher matcher = Pattern.compile('"' + policy + "\";r=(\\d+)").matcher(String.valueOf(field));
        assertThat(matcher.find()).as("%s %s", response.statusLine(), field).isTrue();
        return Integer.parseInt(matcher.group(1));
    }
}
