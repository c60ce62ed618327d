package dev.limiter.cdi.elsewhere;

/** A super class whose package is not that of the bean. */
public class Elsewhere {
    /** For beans. */
    protected Elsewhere() {}

    void ofPackage() {}

    /** What CDI intercepts. */
    public void work() {
        ofPackage();
    }
}
