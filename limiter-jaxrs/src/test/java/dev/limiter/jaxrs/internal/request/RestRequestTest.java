package dev.limiter.jaxrs.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.jaxrs.internal.form.ContainerRequestData;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.lang.reflect.Proxy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A method is the client's word: a new one must be no new partition. Jersey says GET for HEAD
 * itself, no other server does.
 */
class RestRequestTest {
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
        assertThat(new RestRequest(saying(ContainerRequestContext.class, sent), null, null, ContainerRequestData.NONE)
                        .method())
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
