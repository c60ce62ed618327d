package dev.limiter.servers;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.net.URL;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Requests, and what their responses say. */
final class Http {
    private Http() {}

    /** A request to an application. */
    static RequestSpecification to(URL application) {
        return given().baseUri(application.toString());
    }

    /** The {@code r} of a policy in the RateLimit field. */
    static int remaining(Response response, String policy) {
        String field = response.header("RateLimit");
        Matcher matcher = Pattern.compile('"' + policy + "\";r=(\\d+)").matcher(String.valueOf(field));
        assertThat(matcher.find()).as("%s %s", response.statusLine(), field).isTrue();
        return Integer.parseInt(matcher.group(1));
    }
}
