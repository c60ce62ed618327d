package dev.limiter.jaxrs.internal.form;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.limiter.jaxrs.internal.declaration.TypeArguments;
import dev.limiter.jaxrs.internal.servlet.ReplayableFormRequest;
import jakarta.servlet.http.HttpServletRequest;
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
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A method may take a body of another type for a form. */
class RestFormTest {
    private static final String BODY = "user=alice";
    private static final String FORM = "application/x-www-form-urlencoded";

    private final Map<String, Object> properties = new HashMap<>();
    private final MultivaluedMap<String, String> headers = new MultivaluedHashMap<>();
    private final MultivaluedMap<String, String> query = new MultivaluedHashMap<>();
    private final Map<String, String[]> parameters = new HashMap<>();
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
        assertThat(FormEntity.of(TypeArguments.of(Resource.class).typesOf(method)))
                .isEqualTo(entity);
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
        assertThat(properties.get(RestForm.BODY))
                .as("for the servlet's parameters")
                .isSameAs(stream);
    }

    /**
     * Otherwise a limit before matching would allow a way around a later limit, or refuse forms
     * of a method that takes none.
     */
    @Test
    void eachStageLooksAgain() {
        send("text/plain", BODY, true);
        assertThat(value(FormEntity.UNKNOWN)).isNull();
        assertRefused(FormEntity.TAKEN);
        assertThat(value(FormEntity.NOT_TAKEN)).isNull();
    }

    /**
     * As a servlet container has them: of query and form, and empty text for a field without a
     * value.
     */
    @Test
    void theServletsParametersAreThoseOfQueryAndForm() {
        String form = "user=alice&user=bob&flag&empty=";
        InputStream rest = new ByteArrayInputStream(new byte[0]);
        ReplayableBody body = new ReplayableBody(form.getBytes(StandardCharsets.UTF_8), rest, StandardCharsets.UTF_8);
        ReplayableFormRequest request =
                new ReplayableFormRequest(answering(HttpServletRequest.class, (method, arguments) -> switch (method) {
                    case "getAttribute" -> arguments[0].equals(RestForm.BODY) ? body : null;
                    case "getQueryString" -> "user=carol&page";
                    default -> throw new AssertionError(method);
                }));
        assertThat(request.getParameterValues("user")).containsExactly("carol", "alice", "bob");
        assertThat(request.getParameter("user")).isEqualTo("carol");
        for (String name : List.of("flag", "empty", "page")) {
            assertThat(request.getParameterValues(name)).containsExactly("");
        }
        assertThat(request.getParameterValues("none")).isNull();
        assertThat(request.getParameter("none")).isNull();
        assertThat(Collections.list(request.getParameterNames())).containsExactly("user", "page", "flag", "empty");
        assertThat(body).as("for the method").hasContent(form);
    }

    /** A reader interceptor of the service may decode a body with a content coding. */
    @ParameterizedTest
    @CsvSource({"identity, false", "Identity, false", "' IDENTITY ', false", "'', false", "gzip, true", "x, true"})
    void aFormWithACodingIsRefused(String coding, boolean refused) {
        send(FORM, BODY, true);
        headers.add(HttpHeaders.CONTENT_ENCODING, coding);
        if (refused) {
            assertRefused(FormEntity.NOT_TAKEN);
        } else {
            assertThat(value(FormEntity.NOT_TAKEN)).isEqualTo("alice");
        }
    }

    /** Whether the form says it or not; what is read is there for the method. */
    @ParameterizedTest
    @CsvSource({
        "65536, true,  200",
        "65536, false, 200",
        "65537, true,  413",
        "65537, false, 413",
        "99999, false, 413",
    })
    void aFormOfMoreThan64KiBIsRefused(int bytes, boolean announced, int status) throws IOException {
        String body = BODY + "&b=" + "x".repeat(bytes - BODY.length() - 3);
        send(FORM, body, announced);
        if (status == 200) {
            assertThat(value(FormEntity.UNKNOWN)).isEqualTo("alice");
        } else {
            assertStatus(status, FormEntity.UNKNOWN);
        }
        assertThat(new String(stream.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(body);
    }

    /**
     * The container has read the body into its parameters, or something else has, and the form
     * is not to be had.
     */
    @ParameterizedTest
    @CsvSource({
        "true,  'user', '', alice",
        "true,  'user', user, alice",
        "true,  'other', '', ",
        "true,  '', '', 400",
        "true,  '', user, 400",
        "true,  user, 'user other', 400",
        "false, '', '', ",
        "false, '', user, alice",
        "false, '', 'user other', alice",
    })
    void aBodyThatIsGoneIsInTheParameters(boolean announced, String inForm, String inQuery, String value) {
        send(FORM, "", false);
        if (announced) {
            headers.add(HttpHeaders.CONTENT_LENGTH, " 10 ");
        }
        for (String name : inQuery.split(" ")) {
            if (!name.isEmpty()) {
                query.add(name, "alice");
                parameters.merge(name, new String[] {"alice"}, RestFormTest::joined);
            }
        }
        if (!inForm.isEmpty() && !"400".equals(value)) {
            parameters.merge(inForm, new String[] {"alice"}, RestFormTest::joined);
        }
        if ("400".equals(value)) {
            assertStatus(400, FormEntity.UNKNOWN);
            assertStatus(400, FormEntity.UNKNOWN);
        } else {
            assertThat(value(FormEntity.UNKNOWN)).isEqualTo(value);
        }
    }

    private static String[] joined(String[] some, String[] more) {
        return Stream.concat(Stream.of(some), Stream.of(more)).toArray(String[]::new);
    }

    private void assertStatus(int status, FormEntity entity) {
        assertThatThrownBy(() -> value(entity))
                .isInstanceOfSatisfying(
                        UnreadableFormException.class,
                        refused -> assertThat(refused.status()).isEqualTo(status));
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
        assertStatus(415, entity);
    }

    private String value(FormEntity entity) {
        return new RestForm(context(), entity, () -> parameters).value("user");
    }

    private ContainerRequestContext context() {
        UriInfo uri = answering(UriInfo.class, (method, arguments) -> query);
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
