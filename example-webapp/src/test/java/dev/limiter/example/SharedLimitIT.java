package dev.limiter.example;

import static dev.limiter.example.Http.remaining;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.response.Response;
import java.net.URL;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.OperateOnDeployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two instances of one application on one Redis are one limit. */
@ExtendWith(ArquillianExtension.class)
class SharedLimitIT {

    @ArquillianResource
    @OperateOnDeployment("one")
    private URL one;

    @ArquillianResource
    @OperateOnDeployment("two")
    private URL two;

    @Deployment(name = "one", testable = false)
    static WebArchive deployOne() {
        SharedRedis.configure();
        return Wars.zoo("one");
    }

    @Deployment(name = "two", testable = false)
    static WebArchive deployTwo() {
        return Wars.zoo("two");
    }

    @Test
    void twoInstancesShareOneLimit() {
        SharedRedis.empty();
        assertThat(one).isNotEqualTo(two);
        for (int i = 9; i >= 0; i--) {
            assertThat(remaining(ask(i % 2 == 0 ? one : two), "sliding-log")).isEqualTo(i);
        }
        assertThat(ask(one).statusCode()).isEqualTo(429);
        assertThat(ask(two).statusCode()).isEqualTo(429);
    }

    private static Response ask(URL instance) {
        return given().auth().preemptive().basic("keeper", "keeper").get(instance + "api/strategies/sliding-log");
    }
}
