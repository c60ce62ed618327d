package dev.limiter.jaxrs.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.jaxrs.MapSettings;
import dev.limiter.spi.Settings;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CachedSettingsTest {
    /** Each policy asks for all names, and a source may be a database. */
    @Test
    void theNamesAreListedOnceAndEachValueIsAsked() {
        AtomicInteger listed = new AtomicInteger();
        MapSettings settings = new MapSettings().with("a", "1");
        Settings once = new CachedSettings(new Settings() {
            @Override
            public Optional<String> value(String name) {
                return settings.value(name);
            }

            @Override
            public Iterable<String> names() {
                listed.incrementAndGet();
                return settings.names();
            }
        });
        for (int i = 0; i < 3; i++) {
            assertThat(once.names()).isEqualTo(List.of("a"));
        }
        assertThat(listed).hasValue(1);
        settings.with("a", "2");
        assertThat(once.value("a")).contains("2");
    }
}
