package dev.limiter.jaxrs.internal.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A method is the client's word: a new one must be no new partition. Jersey says GET for HEAD
 * itself, no other server does.
 */
class ServletRequestAdapterTest {
    @ParameterizedTest
    @CsvSource({
        "HEAD, GET",
        "GET, GET",
        "POST, POST",
        "PATCH, PATCH",
        "OPTIONS, OPTIONS",
        "head, other",
        "get, other",
        "X0, other",
        "PROPFIND, other",
        "other, other",
    })
    void headIsItsGetAndUnknownMethodsAreOne(String sent, String verb) {
        assertThat(new ServletRequestAdapter(saying(HttpServletRequest.class, sent), "", null).method())
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
