package dev.limiter.jaxrs.internal.declaration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import dev.limiter.Tier;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the rows of {@code declarations.txt}, and makes annotations of members that are text. */
final class DeclarationTable {
    private static final Pattern HEAD = Pattern.compile("(\\w+\\.\\w+)(?: beside (\\w+\\.\\w+))?: (.*)");
    private static final Pattern MEMBER =
            Pattern.compile("(\\w+) = (\"(?:[^\"\\\\]|\\\\.)*\"|\\{@Tier\\(.*?\\)}|-?\\w+)(?:, |$)");
    private static final Pattern TIER = Pattern.compile("@Tier\\((.*?)\\)");
    private static final Map<String, Object> DEFAULTS =
            Map.of("key", "{ip}", "algorithm", Algorithm.GCRA, "limit", 5L, "window", "10s");

    private DeclarationTable() {}

    /** @param beside a place whose limits are read before; null for none */
    record Row(String place, String beside, List<RateLimited> limits, List<String> says) {}

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (String line : text().lines().filter(each -> !each.matches("#.*|")).toList()) {
            Matcher head = HEAD.matcher(line);
            if (line.startsWith("    ")) {
                rows.get(rows.size() - 1).says().add(line.strip());
            } else if (line.startsWith("+ ")) {
                rows.get(rows.size() - 1).limits().add(annotation(RateLimited.class, DEFAULTS, line.substring(2)));
            } else {
                assertThat(head.matches()).as(line).isTrue();
                rows.add(new Row(head.group(1), head.group(2), new ArrayList<>(), new ArrayList<>()));
                rows.get(rows.size() - 1).limits().add(annotation(RateLimited.class, DEFAULTS, head.group(3)));
            }
        }
        return rows;
    }

    private static <T extends Annotation> T annotation(Class<T> type, Map<String, Object> defaults, String written) {
        Map<String, Object> members = new HashMap<>(defaults);
        Matcher member = MEMBER.matcher(written);
        int end = 0;
        for (; member.find() && member.start() == end; end = member.end()) {
            members.put(member.group(1), value(member.group(2), typeOf(type, member.group(1))));
        }
        assertThat(written.substring(end)).as("not read of: %s", written).isEmpty();
        return annotation(type, members);
    }

    /** An annotation with some members; the others have their defaults. */
    static <T extends Annotation> T annotation(Class<T> type, Map<String, Object> members) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, member, none) -> {
            Object value = members.get(member.getName());
            return value != null ? value : member.getDefaultValue();
        }));
    }

    /** The value of a member, as it is written in Java. */
    static Object value(String text, Class<?> type) {
        if (type == String.class) {
            return text.substring(1, text.length() - 1).translateEscapes();
        }
        if (type == long.class) {
            return Long.valueOf(text);
        }
        if (type == Tier[].class) {
            return TIER.matcher(text)
                    .results()
                    .map(tier -> annotation(Tier.class, Map.of(), tier.group(1)))
                    .toArray(Tier[]::new);
        }
        return type == boolean.class
                ? (Object) Boolean.valueOf(text)
                : Stream.of(type.getEnumConstants())
                        .filter(constant -> constant.toString().equals(text))
                        .findFirst()
                        .orElseThrow();
    }

    private static Class<?> typeOf(Class<?> annotation, String member) {
        try {
            return annotation.getDeclaredMethod(member).getReturnType();
        } catch (NoSuchMethodException misspelt) {
            throw new IllegalArgumentException(annotation.getSimpleName() + " has no " + member, misspelt);
        }
    }

    private static String text() {
        try (InputStream table = DeclarationTable.class.getResourceAsStream("declarations.txt")) {
            return new String(table.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
