package dev.limiter.servers;

import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.util.Map;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** All servers have the same endpoints, of each kind. */
@ExtendWith(ArquillianExtension.class)
class EndpointsIT {

    /** An annotation maps no servlet that is no {@code HttpServlet}. */
    static final StringAsset WEB_XML = new StringAsset("""
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
                <servlet>
                    <servlet-name>generic</servlet-name>
                    <servlet-class>dev.limiter.servers.war.Covered$Generic</servlet-class>
                </servlet>
                <servlet-mapping>
                    <servlet-name>generic</servlet-name>
                    <url-pattern>/s/generic</url-pattern>
                </servlet-mapping>
            </web-app>
            """);

    @ArquillianResource
    private URL covered;

    @Deployment(testable = false)
    static WebArchive covered() {
        WebArchive war = Wars.withoutApplication(
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
                "Covered$Generic",
                "Covered$Limited",
                "Covered$Exempt");
        return war.setWebXML(WEB_XML);
    }

    @Test
    void eachEndpointIsListed() {
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
                        "UNLIMITED /s/again /s/plain/* (Plain)",
                        "UNLIMITED /s/generic (Generic)");
    }
}
