package dev.limiter.jaxrs.internal.response;

import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Settings;
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

    /**
     * The dialects that {@code limiter.headers} names, together; by default draft 11 of the IETF
     * alone.
     *
     * @throws InvalidSettingException if it names something else
     */
    static RateLimitHeaders configured(Settings settings) {
        String setting = "limiter.headers";
        List<RateLimitHeaders> dialects = new ArrayList<>();
        for (String name : settings.value(setting).orElse("draft-11").split(",", -1)) {
            switch (name.strip()) {
                case "draft-11" -> dialects.add(new Draft11Headers());
                case "legacy" -> dialects.add(new LegacyHeaders());
                case "none" -> {}
                default ->
                    throw new InvalidSettingException(
                            setting, "\"" + name.strip() + "\" is none of draft-11, legacy, none");
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
            public void write(List<PublishedResult> published, BiConsumer<String, String> fields) {
                for (RateLimitHeaders dialect : dialects) {
                    dialect.write(published, fields);
                }
            }
        };
    }
}
