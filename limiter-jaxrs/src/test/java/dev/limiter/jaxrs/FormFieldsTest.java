package dev.limiter.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormFieldsTest {
    private static final String FORM = "application/x-www-form-urlencoded";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "user=alice           | alice",
                "a=1&user=alice&b=2   | alice",
                "user=alice&user=bob  | alice", // the first, as everywhere
                "user=                | ''",
                "user                 | -",
                "=alice               | -",
                "''                   | -",
                "&&user=alice&&       | alice",
                "User=alice           | -",
                "user=a+b%20c         | a b c",
                "us%65r=alice         | alice",
                "user=a%3Db%26c       | a=b&c",
                "user=a=b             | a=b",
                "user=%               | %", // malformed: as it is
                "user=a%2             | a%2",
                "user=%zz+b           | %zz+b",
                "user=gr%C3%B6%C3%9Fe | größe",
            })
    void theFirstValueIsDecoded(String body, String value) {
        assertThat(parsed(body, FORM).value("user")).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "; charset=ISO-8859-1      | größe",
                ";charset=\"iso-8859-1\"   | größe",
                "; CHARSET=latin1; v=1     | größe",
                "; charset=no-such-charset | gr\ufffd\ufffde",
                "; charset=                | gr\ufffd\ufffde",
                "; charset=\"a b\"         | gr\ufffd\ufffde",
                "``                        | gr\ufffd\ufffde",
            })
    void theCharsetIsThatOfTheTypeElseUtf8(String parameter, String value) {
        assertThat(parsed("user=gr%F6%DFe", FORM + parameter).value("user")).isEqualTo(value);
    }

    /** Else who writes a name in other bytes would be another one, and have another quota. */
    @Test
    void aNameIsTheSameWhetherItIsEncodedOrNot() {
        assertThat(parsed("user=größe", FORM).value("user")).isEqualTo("größe");
        assertThat(parsed("user=gr%C3%B6ße", FORM).value("user")).isEqualTo("größe");
        byte[] utf16 = "user=größe".getBytes(StandardCharsets.UTF_16);
        assertThat(FormFields.parse(utf16, FORM + ";charset=UTF-16").value("user"))
                .isEqualTo("größe");
    }

    /** Of a body that goes on, the last field may have been cut: half a name is another name. */
    @Test
    void whatWasCutIsLeftOut() {
        String filling = "f=" + "x".repeat(FormFields.MOST_BYTES - 20) + '&';
        String cut = (filling + "user=alice-and-all-the-rest").substring(0, FormFields.MOST_BYTES);
        assertThat(cut).contains("user=alice");
        assertThat(parsed(cut, FORM).value("user")).isNull();
        assertThat(parsed(cut, FORM).value("f")).hasSize(FormFields.MOST_BYTES - 20);
        assertThat(parsed(cut.substring(1), FORM).value("user")).startsWith("alice");
        assertThat(parsed("user=" + "x".repeat(FormFields.MOST_BYTES - 5), FORM).value("user"))
                .isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "application/x-www-form-urlencoded                | true",
                "' Application/X-WWW-Form-Urlencoded;charset=utf-8' | true",
                "application/x-www-form-urlencoded ; v=1          | true",
                "application/x-www-form-urlencoded-too            | false",
                "application/json                                 | false",
                "multipart/form-data                              | false",
                "''                                               | false",
                "-                                                | false",
            })
    void onlyAFormIsRead(String type, boolean is) {
        assertThat(FormFields.isForm(type)).isEqualTo(is);
    }

    private static FormFields parsed(String body, String type) {
        Charset charset = StandardCharsets.UTF_8;
        return FormFields.parse(body.getBytes(charset), type);
    }
}
