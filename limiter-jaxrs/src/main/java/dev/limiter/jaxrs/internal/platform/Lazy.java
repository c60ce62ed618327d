package dev.limiter.jaxrs.internal.platform;

import java.util.function.Supplier;

/**
 * A collaborator that is made when it is first asked for: a CDI bean is known only after CDI has
 * started.
 */
public final class Lazy<T> {
    private final Supplier<T> maker;
    private volatile T made;

    /**
     * @param maker called once, by one thread; again only if it threw
     */
    public Lazy(Supplier<T> maker) {
        this.maker = maker;
    }

    public T get() {
        T known = made;
        return known != null ? known : make();
    }

    private synchronized T make() {
        if (made == null) {
            made = maker.get();
        }
        return made;
    }
}
