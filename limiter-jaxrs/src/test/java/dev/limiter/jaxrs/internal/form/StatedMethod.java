package dev.limiter.jaxrs.internal.form;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Proxy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Methods that a client sends, and the methods that are counted. */
public final class StatedMethod {
    private StatedMethod() {}

    /**
     * A method is the client's word: a new one must be no new partition. Jersey says GET for HEAD
     * itself, no other server does.
     */
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
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Each {}

    /** A request of which only the method is known. */
    public static <T> T request(Class<T> type, String method) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, asked, arguments) -> {
                    assertThat(asked.getName()).isEqualTo("getMethod");
                    return method;
                }));
    }
}
