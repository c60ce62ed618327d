package dev.limiter.example;

import static dev.limiter.example.Http.remaining;
import static io.restassured.RestAssured.get;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An application without CDI that ends leaves its counts in Redis, and nothing else. BeansIT
 * shows the same of one with CDI.
 */
class RedeploymentIT {

    @TempDir
    private Path directory;

    /** A web.xml that calls itself complete turns off the search for annotated listeners. */
    @Test
    void aRedeployedApplicationFindsItsStateAndItsConnectionsAreClosed() throws Exception {
        SharedRedis.configure();
        SharedRedis.empty();
        try (OwnJetty jetty = new OwnJetty(directory)) {
            assertLeft(9, jetty, withoutCdi());
            assertLeft(8, jetty, withoutCdi().setWebXML(new StringAsset("""
                    <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0" metadata-complete="true"/>
                    """)));
        }
    }

    private static void assertLeft(int left, OwnJetty jetty, WebArchive war) throws Exception {
        Set<String> before = SharedRedis.clients();
        WebAppContext application = jetty.deploy(war);
        assertThat(remaining(get(jetty.url(application) + "desk/plain"), "desk"))
                .isEqualTo(left);
        assertThat(SharedRedis.keys()).allMatch(key -> key.startsWith("rl:/bare:"));
        assertThat(before.containsAll(SharedRedis.clients())).isFalse();
        jetty.undeploy(application);
        SharedRedis.awaitNoOtherConnectionBut(before);
    }

    private static WebArchive withoutCdi() {
        WebArchive war = Wars.of("bare", "DeskApplication", "DeskResource");
        war.getContent(path -> path.get().matches("/WEB-INF/(beans\\.xml|lib/(weld|jersey-cdi)[^/]*\\.jar)"))
                .keySet()
                .forEach(war::delete);
        return war;
    }
}
