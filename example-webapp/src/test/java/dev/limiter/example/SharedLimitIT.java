package dev.limiter.example;

import static dev.limiter.example.Http.remaining;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.response.Response;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
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

    @Test
    void aCrowdOnBothInstancesGetsExactlyTheLimit() throws Exception {
        SharedRedis.empty();
        long began = System.nanoTime();
        ExecutorService crowd = Executors.newFixedThreadPool(32);
        try {
            List<Future<Integer>> answers = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                URL instance = i % 2 == 0 ? one : two;
                answers.add(crowd.submit(() -> given().auth()
                        .preemptive()
                        .basic("visitor", "visitor")
                        .get(instance + "api/strategies/sliding-log")
                        .statusCode()));
            }
            Map<Integer, Integer> counts = new TreeMap<>();
            for (Future<Integer> answer : answers) {
                counts.merge(answer.get(), 1, Integer::sum);
            }
            System.out.println("400 requests of 32 threads on 2 instances, limit 10: " + counts);
            assertThat(counts.keySet()).containsExactly(200, 429);
            // Exactly ten, unless the machine takes longer than a window of ten seconds for them
            // all.
            long windows = 1 + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began) / 10;
            assertThat((long) counts.get(200)).isBetween(10L, 10 * windows);
        } finally {
            crowd.shutdownNow();
        }
    }

    private static Response ask(URL instance) {
        return given().auth().preemptive().basic("keeper", "keeper").get(instance + "api/strategies/sliding-log");
    }
}
