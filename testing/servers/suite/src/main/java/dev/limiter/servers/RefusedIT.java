package dev.limiter.servers;

import static dev.limiter.servers.Http.get;
import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.net.URI;
import java.util.List;
import java.util.Map;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An application with a mistake is not served: its deployment fails, with the address of each. */
class RefusedIT extends SharedWar implements LegacyDialect {
    /** Whether the server serves an application although its initializer has failed. */
    private static final boolean GOES_ON = Boolean.getBoolean("server.goes-on");

    private static final Charged CHARGED = new Charged("right");

    @ArquillianResource
    private Deployer deployer;

    RefusedIT() {
        super(CHARGED);
    }

    @Deployment(testable = false)
    static WebArchive right() {
        return Wars.of("right", Map.of("limiter.headers", "legacy"), "AnswersResource", "KeysResource");
    }

    @Deployment(name = "wrong-resources", managed = false, testable = false)
    static WebArchive wrongResources() {
        return Wars.of("wrong-resources", Map.of(), "MisspeltResource", "WrongExpressionResource");
    }

    /** Beans are known later than classes. */
    @Deployment(name = "missing-bean", managed = false, testable = false)
    static WebArchive missingBean() {
        return Wars.of("missing-bean", Map.of(), "MissingBeanResource");
    }

    @Deployment(name = "wrong-bean", managed = false, testable = false)
    static WebArchive wrongBean() {
        return Wars.addCalls(Wars.of("wrong-bean", Map.of(), "WrongBean", "AnswersResource"));
    }

    @Deployment(name = "misspelt-servlet", managed = false, testable = false)
    static WebArchive misspeltServlet() {
        return Wars.of("misspelt-servlet", Map.of(), "Servlets", "Servlets$Answering", "Servlets$Misspelt");
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

    @Deployment(name = "unlimited", managed = false, testable = false)
    static WebArchive unlimited() {
        WebArchive war = Wars.withoutApplication(
                "unlimited",
                Map.of("limiter.require-limits", "fail"),
                "Covered",
                "Covered$Generic",
                "Covered$Inherited",
                "Covered$Plain",
                "Covered$Scanning",
                "Covered$Two",
                "EndpointsResource");
        return war.setWebXML(EndpointsIT.WEB_XML);
    }

    @Deployment(name = "unlimited-listing", managed = false, testable = false)
    static WebArchive unlimitedListing() {
        return Wars.withoutApplication(
                "unlimited-listing",
                Map.of("limiter.require-limits", "fail"),
                "Covered",
                "Covered$Inherited",
                "Covered$Two",
                "CoveredApplications",
                "CoveredApplications$Listing");
    }

    /** Where neither adapter nor log says why a server has refused, only the refusal is shown. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "wrong-resources  | @RateLimited.key on WrongExpressionResource.never:"
                        + " \"#{request.header('X-Tenant'}\" is not an & @RateLimited.key on MisspeltResource.never:"
                        + " unknown name \"usr\" in \"{usr}\"; did you mean",
                "missing-bean     | @RateLimited.key on MissingBeanResource.never: \"bean:tenantKye\" names no CDI bean"
                        + " of type",
                "wrong-bean       | @RateLimited.key on WrongBean.never: \"{ip}\" is of a request",
                "misspelt-servlet | @RateLimited.key on Misspelt: unknown name \"usr\" in \"{usr}\"; did you mean",
                "wrong-setting    | limiter.policy.right.limt: no such member of a policy; did you mean",
            })
    void anApplicationWithMistakesIsNotServed(String war, String addresses) {
        try (PlanLog log = new PlanLog()) {
            Throwable refused = catchThrowable(() -> deployer.deploy(war));
            boolean served = GOES_ON && refused == null;
            if (served) {
                assertThat(get(URI.create(server().toString()).resolve("/health"))
                                .statusCode())
                        .as("before the first request")
                        .isEqualTo(503);
            }
            Response response = get(in(war, "wrong"));
            assertThat(response.statusCode())
                    .as("refused: %s", refused)
                    .isIn(served ? List.of(500) : List.of(404, 503));
            if (served) {
                deployer.undeploy(war);
            }
            assertTold(addresses, refused, response, log);
        }
        assertThat(to(server()).get("keys/address").statusCode())
                .as("another application of the server")
                .isEqualTo(200);
    }

    /**
     * Where limits are required, an endpoint without one is a mistake. Jakarta REST tells listed
     * classes when it starts, on some servers with the first request.
     */
    @ParameterizedTest
    @CsvSource({
        "unlimited,         api/two,     /s/generic (Generic) & /s/again /s/plain/* (Plain) & GET /api/two (Two.get)",
        "unlimited-listing, listing/two, GET /listing/two (Two.get)",
    })
    void anApplicationWithoutRequiredLimitsIsNotServed(String war, String path, String endpoints) {
        try (PlanLog log = new PlanLog()) {
            Throwable refused = catchThrowable(() -> deployer.deploy(war));
            Response response = get(in(war, path));
            assertThat(response.statusCode()).as("refused: %s", refused).isIn(404, 500);
            assertTold(endpoints, refused, response, log);
        }
    }

    private static void assertTold(String texts, Throwable refused, Response response, PlanLog log) {
        String told =
                (log.text() + messages(refused) + response.asString()).replace("\\\"", "\""); // as WildFly hands it on
        if (told.contains("RateLimit") || !log.text().isEmpty()) {
            assertThat(told).contains(texts.split(" & "));
        }
    }

    private URI in(String war, String path) {
        return URI.create(server().toString().replace("/right/", '/' + war + '/' + path));
    }

    private static String messages(Throwable thrown) {
        StringBuilder messages = new StringBuilder();
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            messages.append(cause.getMessage()).append('\n');
        }
        return messages.toString();
    }
}
