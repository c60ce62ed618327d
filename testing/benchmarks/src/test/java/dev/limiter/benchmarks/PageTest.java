package dev.limiter.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class PageTest {
    private final Samples samples = new Samples();

    @Test
    void everyPlaceholderIsFilledAlsoWhenNothingWasMeasured() {
        assertThat(Page.of(samples)).doesNotContain("{", "}").contains("| `GCRA` | – |");
    }

    @Test
    void thePageHas400WordsAtMostAndNoWideLine() {
        for (String peer : new String[] {"bucket4j (Jedis)", "RateLimitJ", "Redisson"}) {
            ratio(Series.manyKeys(Crew.VIRTUAL), peer, 0.25);
        }
        String page = Page.of(samples);
        assertThat(page).contains("Redisson 4.00.");
        assertThat(page.lines().filter(line -> !line.startsWith("|")))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(97));
        assertThat(Pattern.compile("[\\p{L}\\d]\\S*").matcher(page).results().count())
                .isLessThanOrEqualTo(400);
    }

    @Test
    void thePictureHasABarForEachMeasuredCompetitor() {
        samples.add(new Sample(Series.ONE_CORE, "Redisson", Who.GCRA, Metric.NANOS, 2));
        assertThat(Picture.of(samples))
                .contains("<rect class=\"ours\"", ">100 %<", ">Redisson<", "width=\"100\" height", ">50 %<");
    }

    private void ratio(String series, String who, double ratio) {
        samples.add(new Sample(series, who, Who.GCRA, Metric.CHECKS, ratio));
    }
}
