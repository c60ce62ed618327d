package dev.limiter.jaxrs.internal.form;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.ws.rs.core.MediaType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormFieldsTest {
    private static final String FORM = "application/x-www-form-urlencoded";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "user=alice           | alice",
                "a=1&user=alice&b=2   | alice",
                "user=alice&user=alice | alice",
                "user=alice&us%65r=%61lice | alice",
                "user=                | ''",
                "user                 | ''",
                "=alice               | -",
                "''                   | -",
                "&&user=alice&&       | alice",
                "User=alice           | -",
                "user=a+b%20c         | a b c",
                "us%65r=alice         | alice",
                "user=a%3Db%26c       | a=b&c",
                "user=a=b             | a=b",
                "user=gr%C3%B6%C3%9Fe | größe",
            })
    void aValueIsDecoded(String body, String value) {
        assertThat(parsed(body, FORM).value("user", List.of())).isEqualTo(value);
    }

    /**
     * Methods differ in which they take, and servers in whether the query's is one of the form.
     */
    @ParameterizedTest
    @CsvSource({
        "user=alice&user=bob, ''",
        "user=&user=bob, ''",
        "user&user=bob, ''",
        "user=alice, bob",
        "user=alice, alice|bob",
        "b=1, alice|bob",
    })
    void aFieldOfSeveralValuesIsRefused(String body, String inQuery) {
        List<String> others = inQuery.isEmpty() ? List.of() : Arrays.asList(inQuery.split("\\|"));
        FormFields fields = parsed(body, FORM);
        assertRefused(400, () -> fields.value("user", others));
    }

    @Test
    void aFieldOfTheQueryAloneMayBeTheFormsToo() {
        assertThat(parsed("b=1", FORM).value("user", List.of("alice"))).isEqualTo("alice");
        assertThat(parsed("user=alice", FORM).value("user", List.of("alice"))).isEqualTo("alice");
        assertThat(FormFields.of(Map.of("user", new String[] {"alice", "alice"}))
                        .value("user", List.of("alice")))
                .isEqualTo("alice");
        assertThat(FormFields.NONE.value("user", List.of("alice"))).isNull();
    }

    /** Some servers leave such a field out, some keep its text, some refuse the form. */
    @ParameterizedTest
    @ValueSource(strings = {"user=%", "user=a%2", "user=%zz+b", "b=%+1&user=alice", "%-1=b&user=alice"})
    void aMalformedFormIsRefused(String body) {
        assertRefused(400, () -> parsed(body, FORM));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "; charset=ISO-8859-1      | größe",
                ";charset=\"iso-8859-1\"   | größe",
                "; CHARSET=latin1; v=1     | größe",
                "; xcharset=ISO-8859-1     | gr\ufffd\ufffde",
                "; x=\"charset=ISO-8859-1\" | gr\ufffd\ufffde",
                "; charset=us-ascii        | gr\ufffd\ufffde",
                "``                        | gr\ufffd\ufffde",
            })
    void theCharsetIsThatOfTheTypeElseUtf8(String parameter, String value) {
        assertThat(parsed("user=gr%F6%DFe", FORM + parameter).value("user", List.of()))
                .isEqualTo(value);
    }

    /** In those one server finds a name where another finds none. */
    @ParameterizedTest
    @ValueSource(strings = {"UTF-16BE", "UTF-16", "ISO-2022-JP", "UTF-7", "no-such-charset", "\"a b\"", "IBM037"})
    void anotherCharsetIsRefused(String charset) {
        assertRefused(415, () -> parsed("user=alice", FORM + "; charset=" + charset));
    }

    /** Otherwise a name in other bytes would be another name, with another quota. */
    @Test
    void aNameIsTheSameWhetherItIsEncodedOrNot() {
        assertThat(parsed("user=größe", FORM).value("user", List.of())).isEqualTo("größe");
        assertThat(parsed("user=gr%C3%B6ße", FORM).value("user", List.of())).isEqualTo("größe");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/x-www-form-urlencoded                | true",
                "Application/X-WWW-Form-Urlencoded;charset=utf-8  | true",
                "application/x-www-form-urlencoded ; v=1          | true",
                "application/json                                 | false",
                "text/plain                                       | false",
            })
    void onlyAFormIsRead(String type, boolean is) {
        assertThat(FormFields.isForm(MediaType.valueOf(type), List.of(type))).isEqualTo(is);
        assertThat(FormFields.isForm(null, List.of())).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "multipart/form-data; boundary=x",
                "Multipart/Form-Data",
                "multipart/mixed",
                "MULTIPART/Related;\tboundary=x",
                "multipart/x-mixed",
                "application/x-www-form-urlencoded-too",
                "text/plain; x=application/x-www-form-urlencoded",
                "*/*",
                "application/*",
                "application/* ;v=1",
            })
    void whatAServerMayTakeForAFormIsRefused(String type) {
        assertRefused(415, () -> FormFields.isForm(MediaType.valueOf(type), List.of(type)));
    }

    @Test
    void oneOfTwoContentTypesIsRefused() {
        assertRefused(415, () -> FormFields.isForm(MediaType.valueOf(FORM), List.of(FORM, "text/plain")));
        assertRefused(415, () -> FormFields.isForm(MediaType.TEXT_PLAIN_TYPE, List.of("text/plain", FORM)));
        assertRefused(415, () -> FormFields.isForm(null, List.of("text/plain, " + FORM)));
    }

    @Test
    void eachRefusalHasTheStatusThatSaysIt() {
        assertThat(List.of(
                        UnreadableFormException.malformed("x").status(),
                        UnreadableFormException.withoutLength().status(),
                        UnreadableFormException.tooLarge().status(),
                        UnreadableFormException.unsupported("x").status()))
                .containsExactly(400, 411, 413, 415);
        assertThat(UnreadableFormException.tooLarge()).hasMessageContaining("64 KiB");
    }

    private static void assertRefused(int status, Runnable reading) {
        assertThatThrownBy(reading::run)
                .isInstanceOfSatisfying(
                        UnreadableFormException.class,
                        refused -> assertThat(refused.status()).isEqualTo(status));
    }

    private static FormFields parsed(String body, String type) {
        return FormFields.parse(body.getBytes(StandardCharsets.UTF_8), FormFields.charset(MediaType.valueOf(type)));
    }
}
