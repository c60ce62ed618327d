package dev.limiter.example;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.post;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Ten in any hour, seen from outside, in no time. */
@ExtendWith(ArquillianExtension.class)
class OwnClockIT {

    @ArquillianResource
    URL server;

    @Deployment(testable = false)
    static WebArchive deploy() {
        return Wars.of("own-clock", "DeskApplication", "BeanResource", "TestClock");
    }

    @Test
    void theEleventhPassesAnHourLater() {
        for (int i = 0; i < 10; i++) {
            assertThat(get(server + "bean/limited").statusCode()).isEqualTo(200);
        }
        assertThat(get(server + "bean/limited").header("Retry-After")).isEqualTo("3600");
        post(server + "clock?by=PT59M59S");
        assertThat(get(server + "bean/limited").header("Retry-After")).isEqualTo("1");
        post(server + "clock?by=PT1S");
        assertThat(get(server + "bean/limited").statusCode()).isEqualTo(200);
    }
}
