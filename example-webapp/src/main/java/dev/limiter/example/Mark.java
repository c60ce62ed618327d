package dev.limiter.example;

import dev.limiter.CheckResult;
import dev.limiter.Decision;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The record of one limited request.
 *
 * @param id unique over all instances: the instance that answered, and its count, such as
 *     {@code 7f3a-12}
 * @param path what was asked for, such as {@code strategies/gcra}; at most
 *     {@value #LONGEST_PATH} characters
 * @param user the user that asked; empty for a request without a log-in
 * @param atMicros the instant of the decision on the store's clock, in µs since 1970
 * @param waitMicros how long the request was held for its slot; 0 unless delayed
 * @param rejectedBy the policies that rejected; empty unless rejected
 * @param fallback whether the store had failed and the instance decided by itself
 */
record Mark(
        String id,
        String path,
        String user,
        Outcome outcome,
        long atMicros,
        long waitMicros,
        List<String> rejectedBy,
        boolean fallback) {

    static final int LONGEST_PATH = 80;

    /** A separator that no name of a policy has. */
    private static final String SEPARATOR = "\n";

    /** The outcome as the client sees it. */
    enum Outcome {
        ADMITTED,
        DELAYED,
        REJECTED
    }

    /** @param decisions of one request, at least one */
    static Mark of(String id, String path, String user, List<Decision> decisions) {
        List<String> rejectedBy = decisions.stream().flatMap(Mark::failing).toList();
        long waitMicros = decisions.stream().mapToLong(Mark::waitMicros).max().orElse(0);
        Outcome outcome =
                !rejectedBy.isEmpty() ? Outcome.REJECTED : waitMicros > 0 ? Outcome.DELAYED : Outcome.ADMITTED;
        return new Mark(
                id,
                path.length() > LONGEST_PATH ? path.substring(0, LONGEST_PATH) : path,
                user,
                outcome,
                decisions.get(decisions.size() - 1).atMicros(),
                outcome == Outcome.DELAYED ? waitMicros : 0,
                rejectedBy,
                decisions.stream().anyMatch(Decision::fallback));
    }

    /**
     * The fields of an entry in Redis, in readable form. They have a fixed order, which takes
     * Redis less memory.
     */
    Map<String, String> fields() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("id", id);
        fields.put("path", path);
        fields.put("user", user);
        fields.put("outcome", outcome.name());
        fields.put("at", Long.toString(atMicros));
        fields.put("wait", Long.toString(waitMicros));
        fields.put("by", String.join(SEPARATOR, rejectedBy));
        fields.put("fallback", Boolean.toString(fallback));
        return fields;
    }

    /** @throws RuntimeException if they are not {@link #fields} of a mark */
    static Mark of(Map<String, String> fields) {
        String by = fields.get("by");
        return new Mark(
                fields.get("id"),
                fields.get("path"),
                fields.get("user"),
                Outcome.valueOf(fields.get("outcome")),
                Long.parseLong(fields.get("at")),
                Long.parseLong(fields.get("wait")),
                by.isEmpty() ? List.of() : List.of(by.split(SEPARATOR)),
                Boolean.parseBoolean(fields.get("fallback")));
    }

    private static Stream<String> failing(Decision decision) {
        return decision instanceof Decision.Rejected rejected
                ? rejected.failing().stream().map(CheckResult::policy).map(policy -> policy.name())
                : Stream.empty();
    }

    private static long waitMicros(Decision decision) {
        return decision instanceof Decision.Admitted admitted
                ? admitted.runAfter().toNanos() / 1_000
                : 0;
    }
}
