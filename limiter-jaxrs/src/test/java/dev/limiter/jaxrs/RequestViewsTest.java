package dev.limiter.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.lang.reflect.Proxy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jersey says GET for HEAD itself once the method is matched, and no other server does. */
class RequestViewsTest {

    @ParameterizedTest
    @CsvSource({"HEAD, GET", "GET, GET", "POST, POST", "OPTIONS, OPTIONS", "head, head"})
    void headIsItsGet(String sent, String verb) {
        assertThat(new RestRequest(saying(ContainerRequestContext.class, sent), "", null, Container.NONE).method())
                .isEqualTo(verb);
        assertThat(new ServletRequestView(saying(HttpServletRequest.class, sent), "", null).method())
                .isEqualTo(verb);
    }

    /** A request of which only the method is known. */
    private static <T> T saying(Class<T> type, String method) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, asked, arguments) -> {
                    assertThat(asked.getName()).isEqualTo("getMethod");
                    return method;
                }));
    }
}
