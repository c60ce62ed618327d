package dev.limiter.local.plots;

import static dev.limiter.Algorithm.CONCURRENCY;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The pictures of {@code docs/choosing-an-algorithm.md} are what the limiter decides now;
 * {@code -Dplots=write} draws them anew.
 */
class PlotsTest {
    private static final Path PLOTS = Path.of("..", "docs", "plots");

    static Iterable<Traffic> traffic() {
        return Traffic.all();
    }

    @ParameterizedTest
    @MethodSource("traffic")
    void theCommittedPlotIsWhatTheProgramDraws(Traffic traffic) throws IOException {
        Path file = PLOTS.resolve(traffic.file() + ".svg");
        String drawn = Plot.of(traffic);
        if ("write".equals(System.getProperty("plots"))) {
            Files.writeString(file, drawn);
        }
        assertThat(file).as("draw it anew with -Dplots=write, and look at it").hasContent(drawn);
    }

    @ParameterizedTest
    @MethodSource("traffic")
    void noRowShowsMoreThanItsAlgorithmPromises(Traffic traffic) {
        for (Contender contender : Contender.all()) {
            if (contender.policy().algorithm() != CONCURRENCY) { // promises nothing of windows
                assertThat(Course.of(contender, traffic).mostInAnyWindow())
                        .as("%s, %s", traffic.file(), contender.label())
                        .isLessThanOrEqualTo(contender.policy().rules().mostInAnyWindow());
            }
        }
    }

    /** The picture that the page speaks of: twice the limit within two seconds. */
    @Test
    void atTheBoundaryAFixedWindowReachesTwiceItsLimit() {
        Traffic boundary = Traffic.all().get(2);
        assertThat(Course.of(Contender.all().get(0), boundary).mostInAnyWindow())
                .isEqualTo(20);
    }
}
