package dev.limiter.servers;

import static dev.limiter.servers.Http.get;
import static dev.limiter.servers.Http.remaining;
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
import org.jboss.shrinkwrap.api.ArchivePath;
import org.jboss.shrinkwrap.api.Filters;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/** Each WAR of an EAR has the library itself, and so limits of its own. */
@ExtendWith(ArquillianExtension.class)
@EnabledIfSystemProperty(named = "server.ears", matches = "true")
class EarIT {

    @ArquillianResource
    private Deployer deployer;

    @Deployment(name = "each", testable = false)
    static EnterpriseArchive each() {
        return ear("each", war("each-one"), war("each-two"));
    }

    @Deployment(name = "shared", managed = false, testable = false)
    static EnterpriseArchive shared() {
        WebArchive one = war("shared-one");
        WebArchive two = war("shared-two");
        EnterpriseArchive ear = ear("shared", one, two);
        Map.copyOf(one.getContent(Filters.include("/WEB-INF/lib/.*\\.jar"))).forEach((path, library) -> {
            ear.addAsLibrary(library.getAsset(), name(path));
            one.delete(path);
            two.delete(path);
        });
        return ear;
    }

    private static EnterpriseArchive ear(String name, WebArchive... wars) {
        EnterpriseArchive ear = ShrinkWrap.create(EnterpriseArchive.class, name + ".ear");
        for (WebArchive war : wars) {
            ear.addAsModule(war);
        }
        return ear;
    }

    private static WebArchive war(String name) {
        return Wars.of(name, Map.of("limiter.application", ""), "KeysResource"); // named by its path
    }

    private static String name(ArchivePath path) {
        return path.get().substring(path.get().lastIndexOf('/') + 1);
    }

    @Test
    void policiesOfTwoWarsWithEqualNamesCountForThemselves(@ArquillianResource @OperateOnDeployment("each") URL each) {
        for (int left = 9; left >= 8; left--) {
            assertThat(remaining(get(to(each, "/each-one")), "address")).isEqualTo(left);
            assertThat(remaining(get(to(each, "/each-two")), "address")).isEqualTo(left);
        }
    }

    /** Beans of a WAR would not be found, and all WARs would have one name in Redis. */
    @Test
    void theLibraryOfTheEarIsRefused(@ArquillianResource @OperateOnDeployment("each") URL each) {
        Throwable refused = catchThrowable(() -> deployer.deploy("shared"));
        for (String war : new String[] {"/shared-one", "/shared-two"}) {
            Response response = get(to(each, war));
            assertThat(response.statusCode())
                    .as("%s; refused: %s", response.asString(), refused)
                    .isIn(404, 500);
        }
        if (refused == null) {
            deployer.undeploy("shared");
        } else {
            assertThat(refused).hasStackTraceContaining("put it into WEB-INF/lib of each WAR");
        }
    }

    private static URI to(URL server, String war) {
        return URI.create(server.toString()).resolve(war + "/keys/address");
    }
}
