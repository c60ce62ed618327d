package dev.limiter.jaxrs.internal.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServlet;
import jakarta.ws.rs.core.Application;
import java.lang.reflect.Proxy;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Where web.xml has put an application of Jakarta REST, and which servlets are its own. */
class ServletMappingsTest {
    private final Map<String, ServletRegistration> servlets = new HashMap<>();
    private String file = "";

    static class Shop extends Application {}

    static class Own extends HttpServlet {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void anApplicationIsAtTheServletOfItsName() {
        servlet("jsp", null, "*.jsp");
        servlet(Shop.class.getName(), null, "/shop/v1/*");
        assertThat(ServletMappings.ofApplication(context(), Shop.class)).hasValue("/shop/v1");
        assertThat(ServletMappings.ofApplication(context(), Application.class)).isEmpty();
    }

    @Test
    void orOfTheServletThatNamesIt() {
        servlet("other", Application.class.getName(), "/other/*");
        servlet("rest", Shop.class.getName(), "/*");
        assertThat(ServletMappings.ofApplication(context(), Shop.class)).hasValue("");
    }

    @Test
    void aServletOfALibraryIsNotOfTheApplication() {
        file = "/WEB-INF/classes/" + Own.class.getName().replace('.', '/') + ".class";
        assertThat(ServletMappings.isOwn(context(), Own.class)).isTrue();
        assertThat(ServletMappings.isOwn(context(), HttpServlet.class)).isFalse();
    }

    private void servlet(String name, String application, String mapping) {
        servlets.put(
                name,
                answering(
                        ServletRegistration.class,
                        Map.of(
                                "getName",
                                () -> name,
                                "getInitParameter",
                                () -> application,
                                "getMappings",
                                () -> List.of(mapping))));
    }

    private ServletContext context() {
        return (ServletContext) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ServletContext.class},
                (proxy, method, arguments) ->
                        method.getName().equals("getResource") ? found((String) arguments[0]) : servlets);
    }

    private URL found(String wanted) throws MalformedURLException {
        return wanted.equals(file) ? URI.create("file:" + wanted).toURL() : null;
    }

    private static <T> T answering(Class<T> type, Map<String, Supplier<Object>> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> answers.get(method.getName()).get()));
    }
}
