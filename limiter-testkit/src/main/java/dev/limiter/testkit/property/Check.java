package dev.limiter.testkit.property;

/** What must hold for each case. */
@FunctionalInterface
public interface Check<T> {

    /**
     * Returns if the property holds for this case.
     *
     * @throws Discard if this case says nothing of the property
     * @throws Exception as any other {@code Throwable}: the property does not hold
     */
    void of(T drawn) throws Exception;
}
