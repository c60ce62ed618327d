package dev.limiter.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Interleaves competitors: A B C, A B C, and so on. So other load of the machine affects all of
 * them, and figures of one round can be divided by each other.
 */
final class Rounds {
    private final Mode mode;
    private final int rounds;
    private final Output output;

    Rounds(Mode mode, int rounds, Output output) {
        this.mode = mode;
        this.rounds = rounds;
        this.output = output;
    }

    /** Measures all of them, and closes them. */
    void run(String series, List<Contender> contenders, Meter meter, Duration slice) {
        List<Contender> fit = new ArrayList<>(contenders);
        fit.removeIf(contender -> !answers(series, contender, () -> warm(contender, meter, mode.warmUp(slice))));
        for (int round = 0; round < rounds; round++) {
            int number = round;
            fit.removeIf(
                    contender -> !answers(series, contender, () -> measure(series, contender, meter, slice, number)));
        }
        contenders.forEach(contender -> contender.competitor().close());
    }

    private void measure(String series, Contender contender, Meter meter, Duration slice, int round) {
        meter.measure(contender.competitor(), contender.leadIn());
        meter.measure(contender.competitor(), slice)
                .forEach((metric, value) -> output.sample(new Sample(series, contender.name(), metric, round, value)));
    }

    private static void warm(Contender contender, Meter meter, Duration atLeast) {
        Duration leadIn = contender.leadIn();
        meter.measure(contender.competitor(), atLeast.compareTo(leadIn) > 0 ? atLeast : leadIn);
    }

    /** Whether it answers. A competitor that does not is a remark, and is not asked any more. */
    private boolean answers(String series, Contender contender, Runnable slice) {
        try {
            slice.run();
            return true;
        } catch (RuntimeException failed) {
            output.remark(contender.name() + " gave up in \"" + series + "\": " + failed);
            return false;
        }
    }
}
