package dev.limiter.jaxrs;

/** A policy of the application: its name, and the numbers in force, which configuration can change while requests run. */
final class LivePolicy {
    private final Draft draft;
    private volatile Numbers numbers;

    LivePolicy(Draft draft, Numbers numbers) {
        this.draft = draft;
        this.numbers = numbers;
    }

    String name() {
        return draft.name();
    }

    /** As it was declared. */
    Draft draft() {
        return draft;
    }

    Numbers numbers() {
        return numbers;
    }

    /** From the next request on. */
    void become(Numbers changed) {
        numbers = changed;
    }
}
