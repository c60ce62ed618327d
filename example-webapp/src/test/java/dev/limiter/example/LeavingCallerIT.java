package dev.limiter.example;

import static dev.limiter.example.Http.remaining;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.net.URL;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The zoo with a caller that leaves before the first byte of the answer. */
@ExtendWith(ArquillianExtension.class)
class LeavingCallerIT {

    @ArquillianResource
    private URL zoo;

    @Deployment(testable = false)
    static WebArchive deploy() {
        SharedRedis.configure();
        return Wars.with(Wars.zoo("leaving"), "LeavingCaller", "LeavingCaller$Unread", "LeavingCaller$ClosedStream");
    }

    /** Without a settlement a bucket would need 24 s to have the tokens of the estimate again. */
    @Test
    void aCallerThatReadsNothingPaysForTheQuestionOnly() {
        SharedRedis.empty();
        asks().header("Leaves", "early").post("api/answers");
        Response answer = asks().post("api/answers");
        answer.asString();
        assertThat(remaining(answer, "tokens")).isBetween(600 - 253 - 20, 600 - 253);
    }

    private RequestSpecification asks() {
        return given().baseUri(zoo.toString())
                .auth()
                .preemptive()
                .basic("visitor", "visitor")
                .contentType("text/plain")
                .body("Who is Ada?");
    }
}
