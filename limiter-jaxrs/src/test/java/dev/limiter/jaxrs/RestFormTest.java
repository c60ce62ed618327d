package dev.limiter.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Form;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.UriInfo;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A method may take a body for a form whose type says something else. */
class RestFormTest {
    private static final String BODY = "user=alice";
    private static final String FORM = "application/x-www-form-urlencoded";

    private final Map<String, Object> properties = new HashMap<>();
    private final MultivaluedMap<String, String> headers = new MultivaluedHashMap<>();
    private InputStream stream = InputStream.nullInputStream();

    abstract static class Inherited<T> {
        public abstract void inherited(T entity);
    }

    abstract static class Resource extends Inherited<Form> {
        public abstract void form(String query, Form form);

        public abstract void map(MultivaluedMap<String, String> form);

        public abstract void text(String body);
    }

    @ParameterizedTest
    @CsvSource({"form, TAKEN", "map, TAKEN", "inherited, TAKEN", "text, NOT_TAKEN"})
    void aParameterTakesTheForm(String name, FormEntity entity) {
        Method method = Stream.of(Resource.class.getMethods())
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();
        assertThat(FormEntity.of(Resource.class, method)).isEqualTo(entity);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "TAKEN     | -                         | true",
                "TAKEN     | -                         | false",
                "TAKEN     | text/plain                | true",
                "TAKEN     | text/plain;charset=UTF-16 | false",
                "TAKEN     | application/json          | false",
                "UNKNOWN   | -                         | true",
                "UNKNOWN   | -                         | false",
            })
    void aBodyThatMayBeTakenForAFormIsRefused(FormEntity entity, String type, boolean announced) throws IOException {
        send(type, BODY, announced);
        assertRefused(entity);
        assertThat(stream.readAllBytes())
                .as("for the method of a shadow limit")
                .asString(StandardCharsets.UTF_8)
                .isEqualTo(BODY);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "NOT_TAKEN | -                | user=alice",
                "NOT_TAKEN | application/json | user=alice",
                "UNKNOWN   | application/json | user=alice",
                "TAKEN     | -                | ''",
                "TAKEN     | text/plain       | ''",
                "UNKNOWN   | -                | ''",
            })
    void anotherBodyHasNoField(FormEntity entity, String type, String body) throws IOException {
        send(type, body, true);
        assertThat(value(entity)).isNull();
        assertThat(stream.readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo(body);
    }

    @ParameterizedTest
    @CsvSource({"TAKEN", "NOT_TAKEN", "UNKNOWN"})
    void aClearFormIsRead(FormEntity entity) {
        send(FORM, BODY, true);
        assertThat(value(entity)).isEqualTo("alice");
    }

    /** Else a limit before matching would open the way around one behind it, or close it to a method that takes no form. */
    @Test
    void eachStageLooksAgain() {
        send("text/plain", BODY, true);
        assertThat(value(FormEntity.UNKNOWN)).isNull();
        assertRefused(FormEntity.TAKEN);
        assertThat(value(FormEntity.NOT_TAKEN)).isNull();
    }

    private void send(String type, String body, boolean announced) {
        if (type != null) {
            headers.add(HttpHeaders.CONTENT_TYPE, type);
        }
        if (announced) {
            headers.add(HttpHeaders.CONTENT_LENGTH, String.valueOf(body.length()));
        }
        stream = new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8));
    }

    private void assertRefused(FormEntity entity) {
        assertThatThrownBy(() -> value(entity))
                .isInstanceOfSatisfying(
                        UnreadableForm.class,
                        refused -> assertThat(refused.problem().status()).isEqualTo(415));
    }

    private String value(FormEntity entity) {
        return new RestForm(context(), entity, Map::of).value("user");
    }

    private ContainerRequestContext context() {
        UriInfo uri = answering(UriInfo.class, (method, arguments) -> new MultivaluedHashMap<>());
        return answering(ContainerRequestContext.class, (method, arguments) -> switch (method) {
            case "getProperty" -> properties.get((String) arguments[0]);
            case "setProperty" -> properties.put((String) arguments[0], arguments[1]);
            case "getHeaders" -> headers;
            case "getHeaderString" -> headers.getFirst((String) arguments[0]);
            case "getMediaType" ->
                headers.getOrDefault(HttpHeaders.CONTENT_TYPE, List.of()).stream()
                        .map(MediaType::valueOf)
                        .findFirst()
                        .orElse(null);
            case "getUriInfo" -> uri;
            case "getEntityStream" -> stream;
            case "setEntityStream" -> {
                stream = (InputStream) arguments[0];
                yield null;
            }
            default -> throw new AssertionError(method);
        });
    }

    private static <T> T answering(Class<T> type, BiFunction<String, Object[], Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> answers.apply(method.getName(), arguments)));
    }
}
