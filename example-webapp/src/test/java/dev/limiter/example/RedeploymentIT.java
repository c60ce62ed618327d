package dev.limiter.example;

import static dev.limiter.example.Http.remaining;
import static io.restassured.RestAssured.get;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An application that ends leaves its counts in Redis, and nothing else; with CDI and without.
 */
class RedeploymentIT {

    @TempDir
    private Path directory;

    @BeforeEach
    void emptyRedis() {
        SharedRedis.configure();
        SharedRedis.empty();
    }

    @Test
    void aRedeployedApplicationFindsItsStateAndItsConnectionsAreClosed() throws Exception {
        redeploy(Wars.of("desk", "DeskApplication", "DeskResource"));
    }

    @Test
    void soDoesOneWithoutCdi() throws Exception {
        redeploy(withoutCdi("bare"));
    }

    /** A web.xml that calls itself complete turns off the search for annotated listeners. */
    @Test
    void soDoesOneWithoutCdiWhoseWebXmlIsComplete() throws Exception {
        WebArchive war = withoutCdi("complete");
        war.setWebXML(new StringAsset("""
                <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0" metadata-complete="true"/>
                """));
        redeploy(war);
    }

    private static WebArchive withoutCdi(String name) {
        WebArchive war = Wars.of(name, "DeskApplication", "DeskResource");
        war.getContent(path -> path.get().matches("/WEB-INF/(beans\\.xml|lib/(weld|jersey-cdi)[^/]*\\.jar)"))
                .keySet()
                .forEach(war::delete);
        return war;
    }

    private void redeploy(WebArchive war) throws Exception {
        try (OwnJetty jetty = new OwnJetty(directory)) {
            Set<String> before = SharedRedis.clients();
            WebAppContext first = jetty.deploy(war);
            assertThat(remaining(get(jetty.url(first) + "desk/plain"), "desk")).isEqualTo(9);
            assertThat(before.containsAll(SharedRedis.clients())).isFalse();
            jetty.undeploy(first);
            SharedRedis.awaitNoOtherConnectionBut(before);

            WebAppContext second = jetty.deploy(war);
            assertThat(remaining(get(jetty.url(second) + "desk/plain"), "desk")).isEqualTo(8);
            assertThat(SharedRedis.keys()).allMatch(key -> key.startsWith("rl:" + first.getContextPath() + ":"));
            jetty.undeploy(second);
            SharedRedis.awaitNoOtherConnectionBut(before);
        }
    }
}
