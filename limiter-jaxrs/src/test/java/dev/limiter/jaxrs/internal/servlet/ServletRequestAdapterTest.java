package dev.limiter.jaxrs.internal.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.jaxrs.internal.form.StatedMethod;
import dev.limiter.jaxrs.internal.form.UnreadableFormException;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServletRequestAdapterTest {
    @StatedMethod.Each
    void headIsItsGetAndUnknownMethodsAreOne(String sent, String verb) {
        assertThat(new ServletRequestAdapter(StatedMethod.request(HttpServletRequest.class, sent), "", null).method())
                .isEqualTo(verb);
    }

    /** The container would read a body of any length to find the field. */
    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1, chunked, -1, 411",
        "HTTP/2.0, , -1, 411",
        "HTTP/2, , -1, 411",
        "HTTP/3, , -1, 411",
        "HTTP/2.0, , 65537, 413",
        "HTTP/1.1, , 65537, 413",
    })
    void formThatDoesNotSayThatItIsSmallIsRefusedUnread(String protocol, String coding, long length, int status) {
        assertThatExceptionOfType(UnreadableFormException.class)
                .isThrownBy(() -> formOf(protocol, coding, length))
                .returns(status, UnreadableFormException::status);
    }

    @ParameterizedTest
    @CsvSource({"HTTP/1.1, -1", "HTTP/1.0, -1", "HTTP/1.1, 65536", "HTTP/2.0, 65536", "HTTP/2.0, 0"})
    void smallFormIsReadByTheContainer(String protocol, long length) {
        assertThat(formOf(protocol, null, length)).isEqualTo("alice");
    }

    private static String formOf(String protocol, String coding, long length) {
        Class<HttpServletRequest> type = HttpServletRequest.class;
        HttpServletRequest request = type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, asked, arguments) -> switch (asked.getName()) {
                    case "getContentType" -> "application/x-www-form-urlencoded";
                    case "getProtocol" -> protocol;
                    case "getContentLengthLong" -> length;
                    case "getHeader" -> arguments[0].equals("Transfer-Encoding") ? coding : null;
                    case "getParameterValues" -> new String[] {"alice"};
                    default -> throw new AssertionError(asked);
                }));
        return new ServletRequestAdapter(request, "", null).form("username");
    }
}
