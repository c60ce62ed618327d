package dev.limiter.jaxrs.internal.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.limiter.PartitionKey;
import dev.limiter.jaxrs.internal.form.FakeRequest;
import dev.limiter.jaxrs.internal.form.UnreadableFormException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Expressions reach the request and nothing of the machine; values of a request are never
 * expressions.
 */
class ElExpressionTest {
    private final FakeRequest request = new FakeRequest()
            .with("header:X-Tenant", "acme")
            .with("header:X-El", "#{''.getClass()}")
            .with("user", "alice")
            .with("ip", "192.0.2.7")
            .with("endpoint", "Shop.buy")
            .with("verb", "POST")
            .with("attribute:list", List.of("a", "b"));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            nullValues = "-",
            value = {
                "#{request.header('X-Tenant')}                    | acme",
                "#{request.header(\"X-Tenant\")}                  | acme",
                "#{user.name}                                     | alice",
                "#{request['header']('X-Tenant')}                 | acme",
                "#{(request).header('X-Tenant')}                  | acme",
                "#{[request][0].header('X-Tenant')}               | acme",
                "#{request.clientAddress()}                       | 192.0.2.7",
                "#{ip}                                            | 192.0.2.7",
                "#{endpoint}                                      | Shop.buy",
                "#{request.method()}                              | POST",
                "#{user.name.toUpperCase()}                       | ALICE",
                "#{request.attribute('list')[1]}                  | b",
                "#{request.header('X-Tenant') == 'acme' ? 'a' : '}'} | a",
                "#{user.name == 'bob' ? 'a' : '}'}                | }",
                "#{{'a': 'b}'}['a']}                              | b}",
                "#{'it\\'s {'}                                    | it's {",
                "#{request.header('None').length()}               | -",
                "#{nobody}                                        | -",
                "#{nobody.name}                                   | -",
                "#{request.query('None')}                         | -",
            })
    void whatTheRequestSays(String text, String value) {
        KeyValueSource source = KeyExpression.compile(text).sources().get(0);
        assertThat(source.value(request)).isIn(value, value == null ? "" : value);
    }

    /** The adapters have methods for the server's request, which an expression must not reach. */
    @ParameterizedTest
    @ValueSource(strings = {"#{request.context()}", "#{request.context().getMethod()}", "#{request.request()}"})
    void theRequestOfTheServerIsClosed(String text) throws Exception {
        Class<?> adapter = Class.forName("dev.limiter.jaxrs.internal.request.RestRequest");
        assertThat(Modifier.isPublic(adapter.getModifiers())).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ElExpression.compile(text))
                .withMessageContaining("request has no method \"");
    }

    /** What no request can have is found at deployment. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "#{hash(user.name)} | calls a function \"hash\", and there are none; call a method of a named bean",
                "#{empty user ? 'x' : hash (ip)} | calls a function \"hash\"",
                "#{request['hedaer']('X')} | request has no method \"hedaer\"; did you mean \"header\"?",
                "#{request.hedaer('X')} | request has no method \"hedaer\"; did you mean \"header\"?",
                "#{user.name}#{ request . hedaer('X')} | request has no method \"hedaer\"",
                "#{request.method} | request has no property \"method\"; it is a method, write request.method(...)",
                "#{ip.lenght()} | ip has no method \"lenght\"; did you mean \"length\"?",
                "#{endpoint.size} | endpoint has no property \"size\"",
                "#{ip.chars} | ip has no property \"chars\"",
            })
    void whatCannotExistIsRefused(String text, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyExpression.compile(text))
                .withMessageContaining(reason);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#{ip.length() > 7 and (endpoint.blank or not (user.name eq 'x(y)'))}",
                "#{user.getAnything('x').more}",
                "#{keys.hash(user.name)}",
                "#{bean.request.other}",
                "#{(x -> x.size)(ip)}",
                "#{empty (ip) ? 1 : 2}",
            })
    void whatMayExistIsNot(String text) {
        assertThat(KeyExpression.compile(text).sources()).hasSize(1);
    }

    @Test
    void anAnonymousCallerHasNoNameAndIsCountedOnTheAddress() {
        FakeRequest anonymous = new FakeRequest().with("ip", "192.0.2.7");
        assertThat(KeyExpression.compile("#{user.name}").partition(anonymous))
                .isEqualTo(PartitionKey.of("ip", "192.0.2.7"));
        assertThat(KeyExpression.compile("#{user.name}").partition(request))
                .isEqualTo(PartitionKey.of("#{user.name}", "alice"));
    }

    /** No value of an attribute lets an expression reach into the JVM. */
    @Test
    void whatLeadsIntoTheMachineIsClosed() throws Exception {
        List<Object> closed = List.of(
                String.class,
                getClass().getClassLoader(),
                String.class.getModule(),
                Thread.currentThread(),
                Runtime.getRuntime(),
                String.class.getMethod("length"),
                MethodHandles.lookup(),
                MethodType.methodType(void.class));
        for (Object each : closed) {
            FakeRequest caller = new FakeRequest().with("attribute:it", each);
            for (String text : List.of("#{request.attribute('it').toString()}", "#{request.attribute('it').name}")) {
                assertThat(catchThrowable(() -> ElExpression.compile(text).apply(caller)))
                        .as("%s of %s", text, each)
                        .isInstanceOf(FailedExpressionException.class);
            }
        }
        assertThat(ElExpression.compile("#{request.attribute('it').toString()}")
                        .apply(new FakeRequest().with("attribute:it", List.of(1))))
                .isEqualTo("[1]");
    }

    /**
     * Each of them gives the class, the loader or the clock of the machine elsewhere; here an
     * error, or nothing at all.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "#{''.getClass()}",
                "#{''.class}",
                "#{''['class']}",
                "#{''[request.header('class')].name}",
                "#{request.class}",
                "#{request.class.name}",
                "#{request.getClass().getClassLoader()}",
                "#{''.getClass().forName('java.lang.Runtime')}",
                "#{''.getClass().forName('java.lang.Runtime').getMethod('getRuntime').invoke(null).exec('id')}",
                "#{''['getClass']()}",
                "#{user.getClass().getModule()}",
                "#{user.class.module.name}",
                "#{Math.abs(-1)}",
                "#{Math.PI}",
                "#{Math}",
                "#{Runtime}",
                "#{java.lang.Math.abs(-1)}",
                "#{System.getProperty('user.dir')}",
                "#{Runtime.getRuntime().availableProcessors()}",
                "#{Integer.MAX_VALUE}",
                "#{Boolean.TRUE}",
                "#{''.valueOf(1)}",
                "#{''.format('%s', 1)}",
                "#{''.join('-', 'a', 'b')}",
                "#{String('x')}",
                "#{Integer('7')}",
                "#{request.attribute('list').getClass()}",
                "#{request.attribute('list').class}",
                "#{request.attribute('list').of('x')}",
                "#{request.attribute('list').stream().map(x -> x.getClass()).toList()}",
                "#{['a'].stream().map(x -> x.class).findFirst().get()}",
                "#{(x -> x.getClass())('')}",
                "#{(x -> x.class.forName('java.lang.Runtime'))('')}",
                "#{request = 1}",
                "#{user = 'root'; user}",
                "#{ip = '10.0.0.1'}",
                "#{request.user = 'root'}",
                "#{x = 1; x}",
                "#{request.wait()}",
                "#{request.notifyAll()}",
                "#{fn:length('abc')}",
                "#{nobody()}",
            })
    void nothingOfTheMachineIsReached(String text) {
        assertThat(outcome(text)).isIn("refused", "nothing");
        assertThat(request.user().getName()).isEqualTo("alice");
        assertThat(request.clientAddress()).isEqualTo("192.0.2.7");
    }

    private String outcome(String text) {
        try {
            String value = KeyExpression.compile(text).sources().get(0).value(request);
            return value == null || value.isEmpty() ? "nothing" : "gives " + value;
        } catch (FailedExpressionException | IllegalArgumentException refused) {
            return "refused";
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{header:X-El}", "#{request.header('X-El')}"})
    void aValueIsDataAndNeverEvaluated(String text) {
        assertThat(KeyExpression.compile(text).sources().get(0).value(request)).isEqualTo("#{''.getClass()}");
    }

    /** A failure is logged by the server, and what it says may not be the client's words. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "#{request.header('X-Evil') + 1}",
                "#{request.header('X-Evil') * 2 > 1}",
                "#{request[request.header('X-Evil')]}",
                "#{request[request.header('X-Evil')]()}",
                "#{request.attribute('list')[request.header('X-Evil')]}",
                "#{request.attribute('failing').get()}",
            })
    void whatFailsSaysNothingOfWhatTheClientWrote(String text) {
        String evil = "7\r\nWARNING forged";
        request.with("header:X-Evil", evil).with("attribute:failing", (Supplier<String>) () -> {
            throw new IllegalStateException(request.header("X-Evil"));
        });
        KeyValueSource source = KeyExpression.compile(text).sources().get(0);
        Throwable failed = catchThrowable(() -> source.value(request));
        StringWriter log = new StringWriter();
        failed.printStackTrace(new PrintWriter(log));
        assertThat(log.toString())
                .startsWith(FailedExpressionException.class.getName() + ": " + text + " cannot be evaluated: ");
        assertThat(log.toString()).doesNotContain("forged").contains("\tat ");
    }

    @Test
    void expressionsStandBesideTextAndPlaceholders() {
        KeyExpression key = KeyExpression.compile("t-#{user.name}/{header:X-Tenant}");
        assertThat(key.partition(request))
                .isEqualTo(PartitionKey.builder()
                        .add("literal", "t-")
                        .add("#{user.name}", "alice")
                        .add("literal", "/")
                        .add("header:X-Tenant", "acme")
                        .build());
    }

    @Test
    void foldedPlaceholdersKeepTheirNameInTheKey() {
        FakeRequest shouted = new FakeRequest().with("form:name", " ＡLICE ");
        assertThat(KeyExpression.compile("{form:name~fold}").partition(shouted))
                .isEqualTo(PartitionKey.of("form:name~fold", "alice"));
        assertThat(KeyExpression.compile("{form:name~fold|'x'}").partition(new FakeRequest().with("form:name", " ")))
                .isEqualTo(PartitionKey.of("literal", "x"));
    }

    /** It is the client's, and no mistake in the expression. */
    @Test
    void aFormThatCannotBeReadStaysOne() {
        UnreadableFormException unreadable = UnreadableFormException.tooLarge();
        KeyExpression key = KeyExpression.compile("#{request.form('name').toLowerCase()}");
        assertThat(catchThrowable(() -> key.partition(new FakeRequest().with("form:name", unreadable))))
                .isSameAs(unreadable);
    }

    @ParameterizedTest
    @ValueSource(strings = {"#{", "#{user.}", "#{user..name}", "#{'open}", "#{user name}", "#{)}"})
    void whatIsNoExpressionIsRefusedAtDeployment(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> KeyExpression.compile(text));
    }
}
