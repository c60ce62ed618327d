package dev.limiter.outbound.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.testkit.property.TestSize;
import java.util.SplittableRandom;
import org.greenbytes.http.sfv.IntegerItem;
import org.greenbytes.http.sfv.Item;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.OuterList;
import org.greenbytes.http.sfv.ParseException;
import org.greenbytes.http.sfv.Parser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Headers of partners, and malformed ones that resemble them. */
@Tag("proof")
class RateLimitHeaderParserTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"buyer\";r=0;t=2                              | 2",
                "\"buyer\";r=9;t=2                              | 0",
                "\"buyer\";r=0                                  | 0",
                "\"a\";r=0;t=2, \"b\";r=0;t=30, \"c\";r=1;t=90  | 30",
                "default;r=0;t=7                                | 7",
                "\"a;r=0,t=5\\\"\";r=3;t=4                      | 0",
                "\"a\";pk=:Zm9v:;r=0;x;y=?1;z=-1.5;t=3          | 3",
                "\"a\";t=3;r=5;r=0                              | 3",
                "\"a\"; r=0; t=3 ,  \"b\";r=1                   | 3",
                "\"a\";r=0;t=-3                                 | 0",
                "\"a\";r=0;t=3.0                                | 0",
                "\"a\";r=\"0\";t=3                              | 0",
                "\"a\";r=0;t=3,                                 | 0",
                "\"a\";R=0;T=3                                  | 0",
                "\"a\";r=0;t=1000000000000000                   | 0",
                "\"a;r=0;t=3                                    | 0",
                "limit=5, remaining=0, reset=9                  | 0",
                "0                                              | 0"
            })
    void theLongestOfThoseThatAreExhausted(String field, long seconds) {
        assertThat(RateLimitHeaderParser.exhaustedSeconds(field)).isEqualTo(seconds);
    }

    /** Another parser of structured fields, of random text that is nearly one. */
    @Test
    void itReadsAsAnotherParserDoes() {
        String[] pieces = {
            "\"a\"",
            "b",
            "\"c\";r=0;t=9",
            "d;r=1",
            ";r=0",
            ";t=5",
            ";t=70",
            ", ",
            ",",
            " ",
            "\"",
            "\\",
            ";",
            "=",
            ":Zm8=:",
            "?1",
            "-",
            "."
        };
        SplittableRandom random = new SplittableRandom(9_651);
        int texts = TestSize.of(1_000_000);
        int read = 0;
        for (int i = 0; i < texts; i++) {
            StringBuilder text = new StringBuilder();
            for (int piece = random.nextInt(6); piece >= 0; piece--) {
                text.append(pieces[random.nextInt(pieces.length)]);
            }
            long expected = byAnotherParser(text.toString().strip());
            assertThat(RateLimitHeaderParser.exhaustedSeconds(text.toString()))
                    .as("%s", text)
                    .isEqualTo(expected);
            read += expected > 0 ? 1 : 0;
        }
        assertThat(read).isGreaterThan(texts / 400);
    }

    private static long byAnotherParser(String text) {
        try {
            OuterList list = Parser.parseList(text);
            long longest = 0;
            for (ListElement<?> each : list.get()) {
                boolean exhausted = each.getParams().get("r") instanceof IntegerItem r && r.getAsLong() == 0;
                if (each instanceof Item<?> && exhausted && each.getParams().get("t") instanceof IntegerItem t) {
                    longest = Math.max(longest, t.getAsLong());
                }
            }
            return longest;
        } catch (ParseException unreadable) {
            return 0;
        }
    }

    @Test
    void aNumberHasUpToFifteenDigits() {
        assertThat(RateLimitHeaderParser.exhaustedSeconds("\"a\";r=0;t=999999999999999"))
                .isEqualTo(999_999_999_999_999L);
        assertThat(RateLimitHeaderParser.exhaustedSeconds("\"a\";r=0;t=1000000000000000"))
                .isZero();
    }
}
