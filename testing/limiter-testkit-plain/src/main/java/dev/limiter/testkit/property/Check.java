package dev.limiter.testkit.property;

/** What must hold for each case. */
@FunctionalInterface
public interface Check<T> {

    /**
     * Returns if the property holds for this case.
     *
     * @throws Discard if the check cannot use this case
     * @throws Exception or any other {@code Throwable}, if the property does not hold
     */
    void of(T drawn) throws Exception;
}
