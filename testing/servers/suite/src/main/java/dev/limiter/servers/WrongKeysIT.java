package dev.limiter.servers;

import static dev.limiter.servers.Http.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.net.URI;
import java.net.URL;
import java.util.List;
import java.util.Map;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.OperateOnDeployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A wrong key or setting fails the deployment, with its address. */
@ExtendWith(ArquillianExtension.class)
class WrongKeysIT {
    /** Whether the server serves an application although its initializer has failed. */
    private static final boolean GOES_ON = Boolean.getBoolean("server.goes-on");

    @ArquillianResource
    private Deployer deployer;

    @ArquillianResource
    @OperateOnDeployment("right-keys")
    private URL right;

    @Deployment(name = "right-keys", testable = false)
    static WebArchive right() {
        return Wars.of("right-keys", Map.of(), "KeysResource");
    }

    @Deployment(name = "missing-bean", managed = false, testable = false)
    static WebArchive missingBean() {
        return Wars.of("missing-bean", Map.of(), "MissingBeanResource");
    }

    @Deployment(name = "wrong-expression", managed = false, testable = false)
    static WebArchive wrongExpression() {
        return Wars.of("wrong-expression", Map.of(), "WrongExpressionResource");
    }

    @Deployment(name = "misspelt-servlet", managed = false, testable = false)
    static WebArchive misspeltServlet() {
        return Wars.of("misspelt-servlet", Map.of(), "Servlets", "Servlets$Answering", "Servlets$Misspelt");
    }

    @Deployment(name = "pathless-servlet", managed = false, testable = false)
    static WebArchive pathlessServlet() {
        return Wars.of("pathless-servlet", Map.of(), "Servlets", "Servlets$Answering", "Servlets$Pathless");
    }

    @Deployment(name = "wrong-setting", managed = false, testable = false)
    static WebArchive wrongSetting() {
        return Wars.of(
                "wrong-setting",
                Map.of("limiter.policy.right.limt", "3"),
                "Servlets",
                "Servlets$Answering",
                "Servlets$Right");
    }

    /** Not every adapter hands on why a server has refused; one that does says where to look. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "missing-bean     | @RateLimited.key on MissingBeanResource.never: \"bean:tenantKye\" is no CDI bean"
                        + " of type",
                "wrong-expression | @RateLimited.key on WrongExpressionResource.never:"
                        + " \"#{request.header('X-Tenant'}\" is no",
                "misspelt-servlet | @RateLimited.key on Misspelt: unknown name \"usr\" in \"{usr}\"; did you mean",
                "pathless-servlet | @RateLimited.key on Pathless: no path parameter \"show\" in the path of a servlet",
                "wrong-setting    | limiter.policy.right.limt: no such member of a policy; did you mean",
            })
    void anApplicationWithAWrongKeyIsNotServed(String war, String address) {
        Throwable refused = catchThrowable(() -> deployer.deploy(war));
        boolean served = GOES_ON && refused == null;
        if (served) {
            assertThat(get(URI.create(right.toString()).resolve("/health")).statusCode())
                    .as("before the first request")
                    .isEqualTo(503);
        }
        Response response = get(URI.create(right.toString().replace("/right-keys/", '/' + war + "/wrong")));
        assertThat(response.statusCode()).as("refused: %s", refused).isIn(served ? List.of(500) : List.of(404, 503));
        if (served) {
            deployer.undeploy(war);
        }
        String told = (messages(refused) + response.asString()).replace("\\\"", "\""); // as WildFly hands it on
        if (told.contains("RateLimit")) {
            assertThat(told).contains(address);
        }
        assertThat(get(URI.create(right + "keys/address")).statusCode())
                .as("another application of the server")
                .isEqualTo(200);
    }

    private static String messages(Throwable thrown) {
        StringBuilder messages = new StringBuilder();
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            messages.append(cause.getMessage()).append('\n');
        }
        return messages.toString();
    }
}
