package dev.limiter.jaxrs.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.jaxrs.LogLines;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.internal.bootstrap.AskedSettings;
import dev.limiter.testkit.guide.Guide;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the settings in the guide with those that the code reads. */
class GuideSettingsTest {
    private static final String REFERENCE = "docs/configuration.md";
    private static final String NOBODY_LISTENS = "redis://127.0.0.1:1";
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(limiter\\.[^`]+)` \\|");
    private static final Pattern LITERAL = Pattern.compile("\"(limiter\\.[a-z][a-z0-9.-]*[a-z0-9])\"");

    private final LogLines log = new LogLines("dev.limiter.store");

    @AfterEach
    void closeLog() {
        log.close();
    }

    static List<Guide.Block> blocks() {
        return Guide.blocks("properties");
    }

    @Test
    void theReferenceHasWhatIsReadAndNothingElse() {
        assertThat(rows()).containsExactlyInAnyOrderElementsOf(read());
    }

    /** What holds where it is not set, the least and the most, and whether it can change. */
    @Test
    void theReferenceSaysOfEachSettingWhatItsDataSheetSays() {
        assertThat(Modules.settings().values()).hasSizeGreaterThan(20).allSatisfy(sheet -> {
            String row = Guide.text(REFERENCE)
                    .lines()
                    .filter(line -> line.startsWith("| `" + sheet.name() + "` |"))
                    .collect(Collectors.joining())
                    .replaceAll("[`,]", "");
            assertThat(row).as(sheet.name()).isNotEmpty();
            assertThat(row.split("\\|")[2].strip())
                    .satisfies(written -> assertThat(sheet.standard()).isIn(written, ""));
            assertThat(row).contains(sheet.range());
            assertThat(row.contains("read again")).isEqualTo(sheet.isReadAgain());
        });
    }

    /** The known names, by which unknown names are reported, are those that the code reads. */
    @Test
    void whatIsReadIsKnownAndNothingElse() {
        Set<String> known = new TreeSet<>(Modules.settings().keySet());
        known.addAll(PolicySettingNames.allOf(Map.of("buyer", Set.of())));
        Set<String> ofNoTier = read();
        ofNoTier.removeIf(name -> name.startsWith("limiter.policy.buyer.tier."));
        assertThat(ofNoTier).containsExactlyInAnyOrderElementsOf(known);
        MapSettings all = new MapSettings();
        read().forEach(name -> all.with(name, "as it may be"));
        assertThat(SettingNames.unknown(SettingNames.ours(all))).isEmpty();
        assertThat(SettingNames.unknownOfPolicies(SettingNames.ours(all), Map.of("buyer", Set.of("gold")), false))
                .isEmpty();
    }

    /**
     * Searches the source text, so that no setting is missing on both sides of the comparison.
     */
    @Test
    void noSettingStandsInTheCodeThatIsNeverRead() throws IOException {
        Set<String> written = new TreeSet<>();
        for (String module : List.of(
                "limiter-api",
                "limiter-local",
                "limiter-redis",
                "limiter-jaxrs",
                "extensions/limiter-outbound",
                "extensions/limiter-operations")) {
            try (Stream<Path> sources = Files.walk(Guide.PROJECT.resolve(module).resolve("src/main/java"))) {
                for (Path source : sources.filter(file -> file.toString().endsWith(".java"))
                        .filter(file -> !file.endsWith("MeterSheet.java"))
                        .toList()) {
                    LITERAL.matcher(Files.readString(source))
                            .results()
                            .map((MatchResult found) -> found.group(1))
                            .forEach(written::add);
                }
            }
        }
        assertThat(written).contains("limiter.enabled", "limiter.redis.uri");
        assertThat(read()).containsAll(written);
    }

    @ParameterizedTest
    @MethodSource("blocks")
    void everyLineOfABlockIsReadAndUsed(Guide.Block block, @TempDir Path directory) throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(block.text()));
        MapSettings settings = new MapSettings();
        properties.stringPropertyNames().forEach(name -> settings.with(name, properties.getProperty(name)));
        if (settings.value(WatchedFile.FILE.name()).isPresent()) {
            Path file = Files.writeString(directory.resolve("limits.properties"), "# nothing\n");
            settings.with(WatchedFile.FILE.name(), file.toString());
        }
        properties.stringPropertyNames().stream() // there is no TLS here, and no such file
                .filter(name -> name.endsWith("-store"))
                .forEach(name -> settings.with(name, ""));
        assertThat(AskedSettings.askedBy(settings.with("limiter.redis.uri", NOBODY_LISTENS)))
                .as("%s: what is not asked for is misspelt", block)
                .containsAll(properties.stringPropertyNames());
    }

    private static Set<String> rows() {
        return ROW.matcher(Guide.text(REFERENCE))
                .results()
                .map((MatchResult row) -> row.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * The names read by an application with a policy {@code buyer} in an annotation, and by one
     * that has it in configuration.
     */
    private static Set<String> read() {
        Set<String> read = new TreeSet<>();
        read.addAll(AskedSettings.askedBy(new MapSettings().with("limiter.redis.uri", NOBODY_LISTENS)));
        read.addAll(AskedSettings.askedBy(new MapSettings()
                .with("limiter.policy.buyer.key", "{ip}")
                .with("limiter.policy.buyer.algorithm", "GCRA")
                .with("limiter.policy.buyer.limit", "5")
                .with("limiter.policy.buyer.window", "10s")));
        return read;
    }
}
