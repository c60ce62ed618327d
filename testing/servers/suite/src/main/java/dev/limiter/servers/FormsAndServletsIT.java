package dev.limiter.servers;

import java.util.Map;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** An application that takes forms, and one that is made of servlets. */
class FormsAndServletsIT extends SharedWar implements CountOn, Servlets {
    private static final Charged CHARGED = new Charged("forms");

    private static final String WEB_XML = """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
                <servlet>
                    <servlet-name>declared here</servlet-name>
                    <servlet-class>dev.limiter.servers.war.Servlets$Declared</servlet-class>
                </servlet>
                <servlet-mapping>
                    <servlet-name>declared here</servlet-name>
                    <url-pattern>/s/declared/*</url-pattern>
                </servlet-mapping>
                <filter>
                    <filter-name>by name</filter-name>
                    <filter-class>dev.limiter.servers.war.ServletSignIn</filter-class>
                </filter>
                <filter-mapping>
                    <filter-name>by name</filter-name>
                    <servlet-name>declared here</servlet-name>
                </filter-mapping>
            </web-app>
            """;

    FormsAndServletsIT() {
        super(CHARGED);
    }

    @Deployment(testable = false)
    static WebArchive deploy() {
        return Wars.of(
                        "forms",
                        Map.of(),
                        "ExposingServletFilter",
                        "ForwardingResource",
                        "LoginResource",
                        "OriginalRequest",
                        "ParameterReader",
                        "Servlets",
                        "Servlets$Answering",
                        "Servlets$Asking",
                        "Servlets$Caller",
                        "Servlets$Cookie",
                        "Servlets$Declared",
                        "Servlets$Early",
                        "Servlets$Failing",
                        "Servlets$Form",
                        "Servlets$Header",
                        "Servlets$Later",
                        "Servlets$Leading",
                        "Servlets$Once",
                        "Servlets$Parts",
                        "Servlets$Query",
                        "Servlets$Registering",
                        "Servlets$Serving",
                        "Servlets$Verb",
                        "ServletSignIn",
                        "ServletSignIn$SignedIn",
                        "UploadResource",
                        "UploadServlet",
                        "Uploaded")
                .setWebXML(new StringAsset(WEB_XML));
    }
}
