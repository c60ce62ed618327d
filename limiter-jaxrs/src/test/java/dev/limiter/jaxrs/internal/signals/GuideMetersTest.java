package dev.limiter.jaxrs.internal.signals;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.spi.Signals;
import dev.limiter.spi.StoreError;
import dev.limiter.testkit.guide.Guide;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The guide and the registry have each meter as its data sheet says. */
class GuideMetersTest {
    private static final Pattern ALERTED = Pattern.compile("\\blimiter_\\w+(\\{\\w+=\"\\w+\")?");
    private static final Pattern SHEET = Pattern.compile("\\bMeterSheet\\.([A-Z_]+)\\b");

    @Test
    void theTableOfTheGuideHasEachDataSheetAndNothingElse() {
        List<String> rows = Guide.text("docs/operating.md")
                .lines()
                .filter(line -> line.matches("\\| `limiter\\.[a-z.]+` \\|[^|]*\\|[^|]*\\|"))
                .filter(line -> !line.startsWith("| `limiter.queue."))
                .map(line -> line.replace("`", "")
                        .replace("; see below", "")
                        .replaceAll("\\s*\\|$", "")
                        .replace("|  |", "| |"))
                .toList();
        assertThat(rows)
                .containsExactlyElementsOf(Arrays.stream(MeterSheet.values())
                        .map(sheet -> sheet.row().replace("|  |", "| |"))
                        .toList());
    }

    /** With its name, the names of its tags, and what it shows. */
    @Test
    void eachDataSheetIsAMeterWhenItHasSomethingToShow() {
        Map<String, Set<String>> shown = shown().collect(Collectors.groupingBy(
                id -> id.getName() + ": " + id.getDescription(),
                Collectors.flatMapping(
                        id -> id.getTags().stream().map(Tag::getKey), Collectors.toCollection(TreeSet::new))));
        assertThat(shown)
                .isEqualTo(Arrays.stream(MeterSheet.values())
                        .collect(Collectors.toMap(
                                sheet -> sheet.meter() + ": " + sheet.description(),
                                sheet -> new TreeSet<>(sheet.tags()))));
    }

    /** Each meter by the name of Prometheus, alone and with each of its tags. */
    @Test
    void theAlertsAskForMetersAndValuesThatExist() {
        Set<String> known = shown().flatMap(id -> {
                    String name = id.getName().replace('.', '_') + (id.getType() == Meter.Type.COUNTER ? "_total" : "");
                    return Stream.concat(
                            Stream.of(name),
                            id.getTags().stream().map(tag -> name + '{' + tag.getKey() + "=\"" + tag.getValue() + '"'));
                })
                .collect(Collectors.toSet());
        assertThat(ALERTED.matcher(Guide.text("docs/alerts.yml")).results().map(MatchResult::group))
                .hasSizeGreaterThan(10)
                .isSubsetOf(known);
    }

    private static Stream<Meter.Id> shown() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        MicrometerMetrics metrics = new MicrometerMetrics(registry);
        metrics.undecided(group(), 1);
        metrics.storeFailed(StoreError.TIMED_OUT, true);
        metrics.node("redis:6379");
        metrics.fallbackPartitions(() -> 1);
        metrics.leases(() -> 1, () -> 1);
        metrics.quotaFailed("plan", QuotaFailure.SLOW);
        for (MeterSheet sheet : MeterSheet.values()) {
            if (sheet.kind() == MeterSheet.Kind.COUNTER && sheet.tags().equals(List.of("policy"))) {
                metrics.count(sheet, "plan");
            }
        }
        return registry.getMeters().stream().map(Meter::getId);
    }

    /** Searches the source text for the call, which the registry does not need. */
    @Test
    void eachDataSheetIsMeasuredSomewhere() throws IOException {
        Set<String> measured = new TreeSet<>();
        Arrays.stream(Signals.Incident.values()).map(Enum::name).forEach(measured::add);
        try (Stream<Path> sources = Files.walk(Guide.PROJECT.resolve("limiter-jaxrs/src/main/java"))) {
            for (Path source : sources.filter(Files::isRegularFile).toList()) {
                SHEET.matcher(Files.readString(source))
                        .results()
                        .map((MatchResult found) -> found.group(1))
                        .forEach(measured::add);
            }
        }
        assertThat(measured)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(MeterSheet.values()).map(Enum::name).toList());
    }

    private static CheckGroup group() {
        return CheckGroup.of(Check.of(
                Policy.of("plan", Algorithm.GCRA, 5, Duration.ofSeconds(1)), PartitionKey.of("user", "alice")));
    }
}
