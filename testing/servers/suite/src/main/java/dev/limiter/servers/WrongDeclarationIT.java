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

/** An application with a wrong limit is not served without it. */
@ExtendWith(ArquillianExtension.class)
class WrongDeclarationIT {

    @ArquillianResource
    private Deployer deployer;

    @Deployment(name = "right", testable = false)
    static WebArchive right() {
        return Wars.of("right", Map.of(), "DeskResource", "OriginalRequest");
    }

    @Deployment(name = "wrong", managed = false, testable = false)
    static WebArchive wrong() {
        return Wars.of("wrong", Map.of(), "MisspeltResource");
    }

    /**
     * Also where Jakarta REST may fail without its application, as on Tomcat. Open Liberty
     * starts both with the first request.
     */
    @Test
    void anApplicationWithAWrongDeclarationIsNotServed(@ArquillianResource @OperateOnDeployment("right") URL right) {
        Throwable refused = catchThrowable(() -> deployer.deploy("wrong"));
        URI misspelt = URI.create(right.toString().replace("/right/", "/wrong/misspelt"));
        assertThat(get(misspelt).statusCode()).as("refused: %s", refused).isIn(404, 500);
        assertThat(get(URI.create(right + "desk/plain")).statusCode())
                .as("another application of the server")
                .isEqualTo(200);
    }
}
