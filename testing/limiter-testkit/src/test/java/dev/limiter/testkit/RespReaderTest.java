package dev.limiter.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RespReaderTest {

    @Test
    void readsEachType() throws IOException {
        assertThat(read("+OK\r\n")).isEqualTo("OK");
        assertThat(read(":-42\r\n")).isEqualTo("-42");
        assertThat(read("$4\r\na\r\nb\r\n")).isEqualTo("a\r\nb");
        assertThat(read("$2\r\nö\r\n")).isEqualTo("ö");
        assertThat(read("$0\r\n\r\n")).isEqualTo("");
        assertThat(read("$-1\r\n")).isNull();
        assertThat(read("*-1\r\n")).isNull();
        assertThat(read("*3\r\n:1\r\n*1\r\n+a\r\n$-1\r\n")).isEqualTo(Arrays.asList("1", List.of("a"), null));
    }

    @Test
    void errorMayBePartOfAList() throws IOException {
        Object reply = read("*2\r\n+OK\r\n-ERR no\r\n");
        assertThat(reply)
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .element(1)
                .isInstanceOfSatisfying(
                        RedisErrorException.class, error -> assertThat(error).hasMessage("ERR no"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "+OK", "+OK\n", "\r\n", "?\r\n", "$x\r\n", "$3\r\nab", "$1\r\nabc\r\n", "*2\r\n+a\r\n"})
    void whatIsNoReplyIsRefused(String bytes) {
        assertThatThrownBy(() -> read(bytes)).isInstanceOf(IOException.class);
    }

    private static Object read(String bytes) throws IOException {
        return new RespReader(new ByteArrayInputStream(bytes.getBytes(StandardCharsets.UTF_8))).read();
    }
}
