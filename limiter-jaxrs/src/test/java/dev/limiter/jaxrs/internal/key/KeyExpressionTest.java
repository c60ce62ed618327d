package dev.limiter.jaxrs.internal.key;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Mistakes that the corpus of declarations does not have. */
class KeyExpressionTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "`  ` ; is empty",
                "{User} ; unknown name \"User\" in \"{User}\"; did you mean \"user\"?",
                "{zzzzzz} ; known: user, ip, endpoint, verb, path, query, header, cookie, form, attribute, param, claim, bean",
                "{user:x} ; \"user\" takes no parameter in \"{user:x}\"; write \"{user}\"",
                "{path} ; \"path\" needs a parameter in \"{path}\"; write \"{path:...}\"",
                "{path:} ; \"path\" needs a parameter in \"{path:}\"",
                "{header: } ; \"header\" needs a parameter",
                "{user| ; opens a brace that is not closed, at character 1",
                "{user|'x' ; opens a brace that is not closed, at character 1",
                "{user}} ; closes a brace that was not opened, at character 7",
                "{} ; has an empty alternative, at character 2",
                "{user|} ; has an empty alternative, at character 7",
                "{|user} ; has an empty alternative, at character 2",
                "'all ; opens a quote that is not closed, at character 1",
                "'' ; has an empty literal, at character 1",
                "{'x'|user} ; nothing after \"'x'\" can ever be reached",
                "{user|'x'y} ; has text after a literal, at character 10",
                "{user|ip|header:X} ; nothing after \"user|ip\" can ever be reached",
                "{user|header:X|'x'|ip} ; nothing after \"user|header:X|'x'\" can ever be reached",
                "{user}/{ip|user} ; nothing after \"ip\" can ever be reached",
                "{user}/{ip ; opens a brace that is not closed, at character 8",
                "{user}/{header:X| ; opens a brace that is not closed, at character 8",
                "{user}'a''b ; opens a quote that is not closed, at character 10",
                "{user}a}b ; closes a brace that was not opened, at character 8",
                "{user}/{query: } ; \"query\" needs a parameter",
                "{user}'{ip}' ; quotes a placeholder",
                "{user}/{ip:x} ; \"ip\" takes no parameter",
                "{header:X~fodl} ; unknown \"~fodl\"",
                "#user ; \"#user\" has no placeholder; write \"{user}\" for a value",
                "header:X ; write \"{header:X}\" for a value",
                "${user} ; nothing replaces it in a key; write a placeholder without the \"$\"",
                "{ip}/${TENANT} ; nothing replaces it in a key",
                "{body:name} ; only the method reads the body; let it call RateLimits.acquire(policy, key)",
                "{{user}} ; unknown name \"{user\"",
            })
    void whatIsWrongIsSaidWithWhatWouldBeRight(String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyExpression.compile(text))
                .withMessageContaining(message);
    }
}
