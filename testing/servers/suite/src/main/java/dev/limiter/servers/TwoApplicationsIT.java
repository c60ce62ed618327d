package dev.limiter.servers;

import static dev.limiter.servers.Http.remaining;
import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.util.Map;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Two applications of one WAR have their own endpoints, all covered. They share policies by name,
 * and so their buckets.
 */
@ExtendWith(ArquillianExtension.class)
class TwoApplicationsIT {

    @ArquillianResource
    private URL both;

    @Deployment(testable = false)
    static WebArchive both() {
        return Wars.withoutApplication(
                "both",
                Map.of("limiter.require-limits", "fail"),
                "EndpointsResource",
                "KeysResource",
                "CoveredApplications",
                "CoveredApplications$First",
                "CoveredApplications$Second",
                "Covered",
                "Covered$Inherited",
                "Covered$Two",
                "Covered$Locators",
                "Covered$Sub",
                "Covered$Node",
                "Covered$Late");
    }

    /** What a locator returns is known when it is first asked. */
    @Test
    void twoApplicationsHaveTheirOwn() {
        assertThat(to(both).get("second/to/object/1").asString()).isEqualTo("late");
        assertThat(to(both).get("first/endpoints").asString().lines())
                .containsExactly(
                        "EXEMPT GET /first/endpoints (EndpointsResource.all)",
                        "EXEMPT GET /first/endpoints/without (EndpointsResource.withoutLimits)",
                        "LIMITED GET /first/keys/address (KeysResource.address) [first, address]",
                        "LIMITED GET /first/keys/header (KeysResource.header) [first, header]",
                        "LIMITED GET /first/keys/path/{show} (KeysResource.path) [first, path]",
                        "LIMITED GET /first/two (Two.get) [first]",
                        "LIMITED GET /second/keys/address (KeysResource.address) [address]",
                        "LIMITED GET /second/keys/header (KeysResource.header) [header]",
                        "LIMITED GET /second/keys/path/{show} (KeysResource.path) [path]",
                        "LIMITED GET /second/to/again (Sub.limited) [sub]",
                        "EXEMPT POST /second/to/again (Sub.unlimited)",
                        "EXEMPT /second/to/any (Locators.any)",
                        "EXEMPT GET /second/to/node (Node.get)",
                        "EXEMPT /second/to/object/{id} (Locators.object)",
                        "EXEMPT /second/to/plain (Locators.plain)",
                        "EXEMPT /second/to/purpose (Locators.onPurpose)",
                        "LIMITED GET /second/to/sub (Sub.limited) [sub]",
                        "EXEMPT POST /second/to/sub (Sub.unlimited)",
                        "EXEMPT GET /second/two (Two.get)",
                        "EXEMPT GET (Late.get)");
        assertThat(to(both).get("first/endpoints/without").asString()).isEmpty();
    }

    @Test
    void theAddressOfTheClientIsKnownToBoth() {
        SharedRedis.empty();
        for (int left = 9; left >= 5; left -= 2) {
            assertThat(left("first/keys/address")).isEqualTo(left);
            assertThat(left("second/keys/address")).isEqualTo(left - 1);
        }
    }

    private long left(String path) {
        Response response = to(both).get(path);
        assertThat(response.statusCode()).as(path).isEqualTo(200);
        return remaining(response, "address");
    }
}
