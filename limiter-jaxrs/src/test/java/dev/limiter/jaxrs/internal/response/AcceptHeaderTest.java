package dev.limiter.jaxrs.internal.response;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AcceptHeaderTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "Application/Problem+JSON; q=0.1",
                "text/html, */*;q=0.01",
                "application/json;q=0, application/*",
                "text/html,application/json",
                "a/b/c",
                "text",
                "",
                ";",
                "application/json;q=much",
            })
    void jsonIsTakenWhenItIsNamedOrNothingReadableIs(String accept) {
        assertThat(AcceptHeader.takesJson(List.of(accept))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/html",
                "image/png, text/plain;q=0.2",
                "application/json;q=0, text/plain",
                "application/json; q=0.000, text/html",
                "application/xml",
                "text/*",
                "text/html, nonsense",
                "nonsense, text/html, a/b/c",
                "text/html;q=0.5, ;",
            })
    void elseItIsNot(String accept) {
        assertThat(AcceptHeader.takesJson(List.of(accept))).isFalse();
    }

    @Test
    void withoutTheHeaderAnythingIsTaken() {
        assertThat(AcceptHeader.takesJson(null)).isTrue();
        assertThat(AcceptHeader.takesJson(List.of())).isTrue();
    }

    @Test
    void severalHeadersAreOneList() {
        assertThat(AcceptHeader.takesJson(List.of("text/html", "application/json")))
                .isTrue();
    }
}
