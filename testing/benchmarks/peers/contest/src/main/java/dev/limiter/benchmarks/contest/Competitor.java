package dev.limiter.benchmarks.contest;

/** Answers checks, by as many threads at once as want to ask. */
public interface Competitor extends AutoCloseable {

    /**
     * One check of one unit.
     *
     * @param key which of the keys it was entered with, from 0
     */
    Verdict ask(int key);

    @Override
    void close();
}
