package dev.limiter.jaxrs.internal.response;

import dev.limiter.spi.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** A dialect of headers that show the client the rest of its quotas. */
public interface RateLimitHeaders {

    /** The names of the headers, for {@code Access-Control-Expose-Headers}. */
    List<String> names();

    /**
     * Writes the headers.
     *
     * @param published at least one
     * @param fields takes name and value
     */
    void write(List<PublishedResult> published, BiConsumer<String, String> fields);

    /** Whether the problem types of draft 11 go with these headers. */
    default boolean haveProblemTypes() {
        return false;
    }

    /** The dialects in force. */
    Setting<RateLimitHeaders> SETTING = Setting.of("limiter.headers", "draft-11", RateLimitHeaders::named);

    private static RateLimitHeaders named(String text) {
        List<RateLimitHeaders> dialects = new ArrayList<>();
        String[] names = text.strip().split("\\s*,\\s*", -1);
        for (String name : names) {
            switch (name) {
                case "draft-11" -> dialects.add(new Draft11Headers());
                case "legacy" -> dialects.add(new LegacyHeaders());
                case "none" -> {
                    if (names.length > 1) {
                        throw new IllegalArgumentException("\"none\" must be the only value, was \"" + text + '"');
                    }
                }
                default -> throw new IllegalArgumentException('"' + name + "\" is not one of draft-11, legacy, none");
            }
        }
        return dialects.size() == 1 ? dialects.get(0) : together(dialects);
    }

    private static RateLimitHeaders together(List<RateLimitHeaders> dialects) {
        return new RateLimitHeaders() {
            @Override
            public List<String> names() {
                return dialects.stream()
                        .flatMap(dialect -> dialect.names().stream())
                        .toList();
            }

            @Override
            public boolean haveProblemTypes() {
                return dialects.stream().anyMatch(RateLimitHeaders::haveProblemTypes);
            }

            @Override
            public void write(List<PublishedResult> published, BiConsumer<String, String> fields) {
                for (RateLimitHeaders dialect : dialects) {
                    dialect.write(published, fields);
                }
            }
        };
    }
}
