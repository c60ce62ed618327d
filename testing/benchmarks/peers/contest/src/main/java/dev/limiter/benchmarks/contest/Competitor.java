package dev.limiter.benchmarks.contest;

/** Answers checks, for any number of threads at once. */
public interface Competitor extends AutoCloseable {

    /**
     * One check of one unit.
     *
     * @param key the index of its key, from 0
     */
    Verdict ask(int key);

    @Override
    void close();
}
