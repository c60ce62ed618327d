package dev.limiter.servers;

import static dev.limiter.servers.Http.to;
import static io.restassured.RestAssured.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.net.URI;
import java.net.URL;
import java.util.Map;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.OperateOnDeployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** All servers have the same endpoints, and refuse those without limits if told to. */
@ExtendWith(ArquillianExtension.class)
class EndpointsIT {

    @ArquillianResource
    private Deployer deployer;

    @Deployment(name = "covered", testable = false)
    static WebArchive covered() {
        return Wars.withoutApplication(
                "covered",
                Map.of("limiter.policy.off.enabled", "false", "limiter.require-limits", "warn"),
                "EndpointsResource",
                "Covered",
                "Covered$Scanning",
                "Covered$Lock",
                "Covered$Bound",
                "Covered$BoundFilter",
                "Covered$Kinds",
                "Covered$Inherited",
                "Covered$One",
                "Covered$Two",
                "Covered$Contract",
                "Covered$Implementing",
                "Covered$Locators",
                "Covered$Sub",
                "Covered$Node",
                "Covered$Late",
                "Covered$Plain",
                "Covered$Limited",
                "Covered$Exempt");
    }

    @Deployment(name = "both", testable = false)
    static WebArchive both() {
        return Wars.withoutApplication(
                "both",
                Map.of("limiter.require-limits", "fail"),
                "EndpointsResource",
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

    @Deployment(name = "refused", managed = false, testable = false)
    static WebArchive refused() {
        return Wars.withoutApplication(
                "refused",
                Map.of("limiter.require-limits", "fail"),
                "EndpointsResource",
                "Covered$Scanning",
                "Covered",
                "Covered$Inherited",
                "Covered$Two");
    }

    @Deployment(name = "refused-servlet", managed = false, testable = false)
    static WebArchive refusedServlet() {
        return Wars.of(
                "refused-servlet",
                Map.of("limiter.require-limits", "fail"),
                "EndpointsResource",
                "Covered",
                "Covered$Plain");
    }

    @Deployment(name = "refused-listing", managed = false, testable = false)
    static WebArchive refusedListing() {
        return Wars.withoutApplication(
                "refused-listing",
                Map.of("limiter.require-limits", "fail"),
                "CoveredApplications",
                "CoveredApplications$Listing",
                "Covered",
                "Covered$Inherited",
                "Covered$Two");
    }

    @Test
    void eachEndpointIsListed(@ArquillianResource @OperateOnDeployment("covered") URL covered) {
        assertThat(to(covered).get("api/endpoints").asString().lines())
                .containsExactly(
                        "LIMITED GET /api/contract (Implementing.limited) [contract]",
                        "UNLIMITED POST /api/contract (Implementing.unlimited)",
                        "EXEMPT GET /api/endpoints (EndpointsResource.all)",
                        "EXEMPT GET /api/endpoints/without (EndpointsResource.withoutLimits)",
                        "NOT_REJECTING DELETE /api/kinds (Kinds.onTrial) [trial]",
                        "LIMITED GET /api/kinds (Kinds.limited) [kinds]",
                        "UNLIMITED LOCK /api/kinds (Kinds.lock)",
                        "EXEMPT PUT /api/kinds (Kinds.exempt)",
                        "NOT_REJECTING GET /api/kinds/off (Kinds.switchedOff) [off]",
                        "UNLIMITED OPTIONS /api/kinds/own (Kinds.options)",
                        "UNLIMITED POST /api/kinds/{id: \\d+} (Kinds.unlimited)",
                        "LIMITED GET /api/one (One.get) [one]",
                        "LIMITED GET /api/to/again (Sub.limited) [sub]",
                        "UNLIMITED POST /api/to/again (Sub.unlimited)",
                        "UNKNOWN /api/to/any (Locators.any, locator, class not known at deployment)",
                        "UNLIMITED GET /api/to/node (Node.get)",
                        "UNKNOWN /api/to/object/{id} (Locators.object, locator, class not known at deployment)",
                        "UNKNOWN /api/to/plain (Locators.plain, locator, class not known at deployment)",
                        "EXEMPT /api/to/purpose (Locators.onPurpose)",
                        "LIMITED GET /api/to/sub (Sub.limited) [sub]",
                        "UNLIMITED POST /api/to/sub (Sub.unlimited)",
                        "UNLIMITED GET /api/two (Two.get)",
                        "EXEMPT /s/exempt (Exempt)",
                        "LIMITED /s/limited (Limited) [servlet]",
                        "UNLIMITED /s/again /s/plain/* (Plain)");
    }

    /** What a locator returns is known when it is first asked. */
    @Test
    void twoApplicationsHaveTheirOwn(@ArquillianResource @OperateOnDeployment("both") URL both) {
        assertThat(to(both).get("second/to/object/1").asString()).isEqualTo("late");
        assertThat(to(both).get("first/endpoints").asString().lines())
                .containsExactly(
                        "EXEMPT GET /first/endpoints (EndpointsResource.all)",
                        "EXEMPT GET /first/endpoints/without (EndpointsResource.withoutLimits)",
                        "LIMITED GET /first/two (Two.get) [first]",
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
    void anApplicationThatLeavesItsClassesToTheServerIsRefused(
            @ArquillianResource @OperateOnDeployment("covered") URL other) {
        refuses("refused", "api/two", other);
    }

    @Test
    void aServletIsRefused(@ArquillianResource @OperateOnDeployment("covered") URL other) {
        refuses("refused-servlet", "endpoints", other);
    }

    /** Jakarta REST tells its classes when it starts, on some servers with the first request. */
    @Test
    void anApplicationThatListsItsClassesIsRefused(@ArquillianResource @OperateOnDeployment("covered") URL other) {
        refuses("refused-listing", "listing/two", other);
    }

    private void refuses(String war, String path, URL other) {
        Throwable refused = catchThrowable(() -> deployer.deploy(war));
        URI endpoint = URI.create(other.toString().replace("/covered/", "/" + war + "/" + path));
        assertThat(get(endpoint).statusCode()).as("refused: %s", refused).isIn(404, 500);
    }
}
