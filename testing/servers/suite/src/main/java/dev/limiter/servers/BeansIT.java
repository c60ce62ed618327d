package dev.limiter.servers;

import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.eclipse.microprofile.jwt.JsonWebToken;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;

/** Limits on the methods of beans, which share the runtime of Jakarta REST. */
class BeansIT extends SharedWar {

    BeansIT() {
        super(new Charged("beans"));
    }

    @Deployment(testable = false)
    static WebArchive deploy() {
        WebArchive war = Wars.of(
                "beans",
                Map.of(),
                "LimitedMail",
                "MailJob",
                "MailResource",
                "SignInFilter",
                "SignInFilter$1",
                "Token",
                "Visitor");
        return Wars.addCalls(Wars.addLibraryOf(war, JsonWebToken.class));
    }

    private List<Integer> statuses(int times, String path, String user) {
        return IntStream.range(0, times)
                .mapToObj(i -> to(server()).header("X-User", user).get(path).statusCode())
                .toList();
    }

    @Test
    void aRejectionInAnUnlimitedResourceIs429WithTheTimeToComeBack() {
        assertThat(statuses(2, "mail/unlimited/rome", "ann")).containsExactly(200, 200);
        Response third = to(server()).header("X-User", "ann").get("mail/unlimited/rome");
        assertThat(third.statusCode()).isEqualTo(429);
        assertThat(Integer.parseInt(third.header("Retry-After"))).isBetween(3000, 3601);
        assertThat(third.asString()).contains("\"mail\"");
        assertThat(statuses(1, "mail/unlimited/oslo", "ann")).containsExactly(200);
        assertThat(statuses(3, "mail/unlimited/rome", "bob")).containsExactly(200, 200, 429);
    }

    @Test
    void aLimitedResourceThatCallsALimitedBeanCountsEachOnce() {
        assertThat(statuses(3, "mail/limited/rome", "ann")).containsExactly(200, 200, 429);
        assertThat(statuses(3, "mail/limited/oslo", "ann")).containsExactly(200, 200, 429);
    }

    @Test
    void oneNameIsOneBucket() {
        assertThat(statuses(2, "mail/both", "ann")).containsExactly(200, 429);
    }

    @Test
    void aJobIsNobodyAndGetsTheException() {
        assertThat(statuses(2, "mail/unlimited/rome", "ann")).containsExactly(200, 200);
        for (int i = 0; i < 2; i++) {
            assertThat(to(server()).get("mail/job/rome").asString()).isEqualTo("sent to rome");
        }
        assertThat(to(server()).get("mail/job/rome").asString()).startsWith("rate limit reached: mail; retry in PT");
    }

    /** Although a job has called a bean before Jakarta REST started. */
    @Test
    void theLimitsOfBeansAreThoseOfTheApplication() {
        assertThat(to(server()).get("mail/policies").asString()).isEqualTo("both mail resource starts");
    }
}
