package dev.limiter.benchmarks;

import java.util.function.Consumer;

/** The lines by which an experiment reports to the process that started it. */
final class Output {
    private static final String REMARK = "remark\t";

    private static final int LONGEST_REMARK = 300;

    private final Consumer<String> lines;

    Output(Consumer<String> lines) {
        this.lines = lines;
    }

    void sample(Sample sample) {
        lines.accept(sample.line());
    }

    void remark(String text) {
        String line = text.replaceAll("\\s+", " ");
        lines.accept(REMARK + line.substring(0, Math.min(line.length(), LONGEST_REMARK)));
    }

    /**
     * Takes over a line of another process; what is neither sample nor remark is passed on to
     * the console.
     */
    static void read(String line, Samples samples) {
        if (line.startsWith(REMARK)) {
            samples.remark(line.substring(REMARK.length()));
            return;
        }
        Sample.parse(line).ifPresentOrElse(samples::add, () -> System.out.println(line));
    }
}
