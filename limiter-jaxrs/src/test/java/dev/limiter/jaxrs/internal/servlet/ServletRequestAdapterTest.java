package dev.limiter.jaxrs.internal.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.jaxrs.internal.form.StatedMethod;
import dev.limiter.jaxrs.internal.form.UnreadableFormException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;
import java.lang.reflect.Proxy;
import java.util.List;
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

    /**
     * Tomcat makes parameters of the parts of any multipart. Its servlet may read them
     * otherwise.
     */
    @ParameterizedTest
    @CsvSource({
        "multipart/form-data; boundary=x, true",
        "Multipart/Form-Data, true",
        "multipart/mixed; boundary=x, false",
        "multipart/related, false",
    })
    void partsAreAFormIfTheyAreFormData(String type, boolean isForm) {
        if (isForm) {
            assertThat(formOf(type, "HTTP/1.1", null, 100)).isEqualTo("alice");
        } else {
            assertThatExceptionOfType(UnreadableFormException.class)
                    .isThrownBy(() -> formOf(type, "HTTP/1.1", null, 100))
                    .returns(415, UnreadableFormException::status);
        }
    }

    private static String formOf(String protocol, String coding, long length) {
        return formOf("application/x-www-form-urlencoded", protocol, coding, length);
    }

    private static String formOf(String contentType, String protocol, String coding, long length) {
        Class<HttpServletRequest> type = HttpServletRequest.class;
        HttpServletRequest request = type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, asked, arguments) -> switch (asked.getName()) {
                    case "getContentType" -> contentType;
                    case "getProtocol" -> protocol;
                    case "getContentLengthLong" -> length;
                    case "getHeader" -> arguments[0].equals("Transfer-Encoding") ? coding : null;
                    case "getParameterValues" -> new String[] {"alice"};
                    case "getParts" -> List.of(part());
                    default -> throw new AssertionError(asked);
                }));
        return new ServletRequestAdapter(request, "", null).form("username");
    }

    private static Part part() {
        return (Part) Proxy.newProxyInstance(
                Part.class.getClassLoader(),
                new Class<?>[] {Part.class},
                (proxy, asked, arguments) -> asked.getName().equals("getName") ? "username" : null);
    }
}
