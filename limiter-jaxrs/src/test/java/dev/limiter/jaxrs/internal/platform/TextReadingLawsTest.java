package dev.limiter.jaxrs.internal.platform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.internal.address.ForwardedClientAddress;
import dev.limiter.jaxrs.internal.address.ForwardedHeader;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Property;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Texts of requests: what is written is read back. */
@Tag("proof")
class TextReadingLawsTest {
    private static final List<String> CHARACTERS =
            List.of("a", "b", "=", ";", ",", "\"", "\\", " ", "&", "%", "+", "ß", "1.2.3.4", ":");

    /** Name and value; without a value a name alone. */
    private record Pair(String name, String value) {}

    private static String text(Dice dice, int most) {
        return String.join("", dice.list(0, most, each -> each.oneOf(CHARACTERS)));
    }

    /** As RFC 7239 has it, with quotes where a value needs them. */
    private static String forwarded(List<Pair> element, boolean upper) {
        return element.stream()
                .map(pair -> (upper ? pair.name().toUpperCase(java.util.Locale.ROOT) : pair.name()) + "="
                        + (pair.value().matches("[ab1.2.3.4:]+")
                                ? pair.value()
                                : '"' + pair.value().replace("\\", "\\\\").replace("\"", "\\\"") + '"'))
                .collect(Collectors.joining(upper ? " ; " : ";"));
    }

    /** Reads the {@code for} of each element, at any place among other parameters. */
    @Test
    void whatIsQuotedSeparatesNothing() {
        Property.forAll(dice -> dice.list(1, 5, Forwarded::draw)).tries(40_000).check(elements -> {
            String line = elements.stream()
                    .map(Forwarded::written)
                    .collect(Collectors.joining(elements.size() % 2 == 0 ? "," : " , "));
            assertThat(ForwardedHeader.addresses(line))
                    .as(line)
                    .isEqualTo(elements.stream().map(Forwarded::address).toList());
        });
    }

    /** An element with a {@code for}, or without one. */
    private record Forwarded(List<Pair> before, String address, List<Pair> after, boolean upper) {
        static Forwarded draw(Dice dice) {
            return new Forwarded(others(dice), dice.oneOf("", "1.2.3.4", "b", "a:b"), others(dice), dice.chance(30));
        }

        private static List<Pair> others(Dice dice) {
            return dice.list(0, 2, each -> new Pair(each.oneOf("by", "host", "proto", "xfor", "fo"), text(each, 5)));
        }

        String written() {
            List<Pair> all = new ArrayList<>(before);
            if (!address.isEmpty()) {
                all.add(new Pair("for", address));
            }
            all.addAll(after);
            return forwarded(all, upper);
        }
    }

    /** All values of each field, in their order, and those of one field alike. */
    @Test
    void whatWasEncodedIsDecoded() {
        Property.forAll(dice -> dice.list(0, 6, each -> new Pair(each.oneOf("a", "ß b", "&", "="), text(each, 4))))
                .tries(20_000)
                .check(pairs -> {
                    Map<String, List<String>> fields = new LinkedHashMap<>();
                    pairs.forEach(pair -> fields.computeIfAbsent(pair.name(), name -> new ArrayList<>())
                            .add(pair.value()));
                    String body = pairs.stream()
                            .map(pair -> encoded(pair.name()) + '=' + encoded(pair.value()))
                            .collect(Collectors.joining(pairs.size() % 3 == 0 ? "&&" : "&"));
                    assertThat(UrlEncoding.fields(body, StandardCharsets.UTF_8)).isEqualTo(fields);
                    for (String name : List.of("a", "ß b", "&", "=", "none")) {
                        assertThat(UrlEncoding.values(name, body, StandardCharsets.UTF_8))
                                .isEqualTo(fields.getOrDefault(name, List.of()));
                    }
                });
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Servers leave such a value as it is. */
    @ParameterizedTest
    @CsvSource({"a=%, %", "a=%zz, %zz", "a=b%2, b%2", "%=1&a=2, 2", "a, -", "a&a=1, -"})
    void whatCannotBeDecodedStaysAsItIs(String body, String first) {
        assertThat(UrlEncoding.fields(body, StandardCharsets.UTF_8).get("a"))
                .first()
                .isEqualTo(first.equals("-") ? null : first);
        assertThat(UrlEncoding.values("a", body, StandardCharsets.UTF_8))
                .isEqualTo(UrlEncoding.fields(body, StandardCharsets.UTF_8).get("a"));
    }

    @Test
    void aWordInOtherLettersIsTheSameWord() {
        assertThat(Suggestions.suggest("GOLD", List.of("gold", "silver"))).isEqualTo("did you mean \"gold\"?");
        assertThat(Suggestions.of("limiter.LEASE", List.of("limiter.", "limiter.lease")))
                .contains("limiter.lease");
    }

    /** Edits are counted as they are defined. */
    @Test
    void theNearestIsTheFewestEditsAway() {
        Property.forAll(dice -> List.of(word(dice), word(dice), word(dice)))
                .tries(20_000)
                .check(words -> {
                    String word = words.get(0);
                    int first = edits(word, words.get(1));
                    int second = edits(word, words.get(2));
                    assertThat(Suggestions.of(word, words.subList(1, 3))).contains(words.get(first <= second ? 1 : 2));
                    assertThat(Suggestions.isNear(word, words.get(1))).isEqualTo(first <= 2);
                    int length = Math.max(word.length(), words.get(1).length());
                    assertThat(Suggestions.isNearForItsLength(word, words.get(1)))
                            .isEqualTo(first <= 2 && first * 2 <= length);
                    assertThat(Suggestions.isMostly(word, words.get(1))).isEqualTo(first * 5 <= length);
                });
    }

    private static String word(Dice dice) {
        return String.join("", dice.list(0, 6, each -> each.oneOf("a", "b", "c")));
    }

    private static int edits(String a, String b) {
        if (a.isEmpty() || b.isEmpty()) {
            return a.length() + b.length();
        }
        String restOfA = a.substring(1);
        String restOfB = b.substring(1);
        if (a.charAt(0) == b.charAt(0)) {
            return edits(restOfA, restOfB);
        }
        return 1 + Math.min(edits(restOfA, restOfB), Math.min(edits(restOfA, b), edits(a, restOfB)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.0.0.0/8, 192.168.7.1 | 2",
                "' 10.0.0.0/8 '          | 1",
                "10.0.0.0/8,,            | 1",
                "' , '                   | 0",
            })
    void listedNetworksMayStandApart(String listed, int networks) {
        assertThat(ForwardedClientAddress.TRUSTED_PROXIES.in(new MapSettings().with("limiter.trusted-proxies", listed)))
                .hasSize(networks);
    }
}
