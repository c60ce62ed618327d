package dev.limiter.operations.internal;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What an operator has changed: a line of the text that instances share. It has no key of a caller.
 *
 * @param kind one of the constants; others, of a later release, are kept
 * @param policy its name
 * @param partition the digest of one partition; empty for all
 * @param values by member of the policy
 * @param untilMillis when it ends, in ms since 1970 by the store's clock; 0 for never
 * @param atMillis when it was made
 * @param by the operator
 * @param because the reason
 */
record Change(
        String kind,
        String policy,
        String partition,
        Map<String, String> values,
        long untilMillis,
        long atMillis,
        String by,
        String because) {
    /** Other numbers of a policy. */
    static final String OF_POLICY = "policy";
    /** Numbers of one partition. */
    static final String OF_CALLER = "caller";
    /** A partition whose state was reset, so that cached rejections of it are untrue. */
    static final String FORGIVEN = "forgiven";
    /** An operator asks each instance for a report. */
    static final String ASKED = "asked";

    Change {
        values = new TreeMap<>(values);
        if (kind.equals(OF_CALLER)) {
            Long.parseLong(values.get("limit"));
            Long.parseLong(values.getOrDefault("burst", "0"));
        }
    }

    boolean isOver(long nowMillis) {
        return untilMillis != 0 && untilMillis <= nowMillis;
    }

    /** Whether both change the same. */
    boolean isOf(String otherKind, String otherPolicy, String otherPartition) {
        return kind.equals(otherKind) && policy.equals(otherPolicy) && partition.equals(otherPartition);
    }

    String line() {
        String written = values.entrySet().stream()
                .map(value -> encoded(value.getKey()) + '=' + encoded(value.getValue()))
                .collect(Collectors.joining("&"));
        return String.join(
                "\t",
                encoded(kind),
                encoded(policy),
                encoded(partition),
                written,
                Long.toString(untilMillis),
                Long.toString(atMillis),
                encoded(by),
                encoded(because));
    }

    static Change parse(String line) {
        List<String> fields = List.of(line.split("\t", -1));
        Map<String, String> values = Arrays.stream(fields.get(3).split("&"))
                .filter(value -> !value.isEmpty())
                .map(value -> value.split("=", 2))
                .collect(Collectors.toMap(value -> decoded(value[0]), value -> decoded(value[1])));
        return new Change(
                decoded(fields.get(0)),
                decoded(fields.get(1)),
                decoded(fields.get(2)),
                values,
                Long.parseLong(fields.get(4)),
                Long.parseLong(fields.get(5)),
                decoded(fields.get(6)),
                decoded(fields.get(7)));
    }

    private static String encoded(String field) {
        return URLEncoder.encode(field, StandardCharsets.UTF_8);
    }

    private static String decoded(String field) {
        return URLDecoder.decode(field, StandardCharsets.UTF_8);
    }
}
