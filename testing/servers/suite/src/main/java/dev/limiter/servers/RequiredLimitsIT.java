package dev.limiter.servers;

import static dev.limiter.servers.Http.get;
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

/** Where limits are required, an endpoint without one refuses the deployment. */
@ExtendWith(ArquillianExtension.class)
class RequiredLimitsIT {

    @ArquillianResource
    private Deployer deployer;

    @Deployment(name = "other", testable = false)
    static WebArchive other() {
        return Wars.of("other", Map.of(), "EndpointsResource");
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
    void anApplicationThatLeavesItsClassesToTheServerIsRefused(
            @ArquillianResource @OperateOnDeployment("other") URL other) {
        refuses("refused", "api/two", other);
    }

    @Test
    void aServletIsRefused(@ArquillianResource @OperateOnDeployment("other") URL other) {
        refuses("refused-servlet", "endpoints", other);
    }

    /** Jakarta REST tells its classes when it starts, on some servers with the first request. */
    @Test
    void anApplicationThatListsItsClassesIsRefused(@ArquillianResource @OperateOnDeployment("other") URL other) {
        refuses("refused-listing", "listing/two", other);
    }

    private void refuses(String war, String path, URL other) {
        Throwable refused = catchThrowable(() -> deployer.deploy(war));
        URI endpoint = URI.create(other.toString().replace("/other/", "/" + war + "/" + path));
        assertThat(get(endpoint).statusCode()).as("refused: %s", refused).isIn(404, 500);
    }
}
