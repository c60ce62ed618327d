package dev.limiter.jaxrs.internal.numbers;

import dev.limiter.jaxrs.LimitNumbers;
import dev.limiter.jaxrs.internal.key.KeyExpression;
import dev.limiter.jaxrs.internal.key.KeyValueSource;
import dev.limiter.jaxrs.internal.key.Placeholder;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.jaxrs.internal.platform.Platform;
import java.util.List;

/**
 * The CDI bean behind <code>numbers = "{bean:contracts}"</code>, looked up once: a proxy finds
 * the instance of its scope.
 */
public final class NumbersBean {
    private final String name;
    private final Lazy<LimitNumbers> bean;

    NumbersBean(String name, Lazy<LimitNumbers> bean) {
        this.name = name;
        this.bean = bean;
    }

    /**
     * Reads the member {@code numbers}.
     *
     * @return null if it is empty
     * @throws IllegalArgumentException with the mistake and its correction
     */
    public static NumbersBean compile(String text) {
        if (text.isEmpty()) {
            return null;
        }
        List<KeyValueSource> alternatives =
                KeyExpression.single(text, "{bean:contracts}").alternatives();
        KeyValueSource only = alternatives.get(0);
        if (alternatives.size() > 1
                || !only.is(Placeholder.BEAN)
                || !only.name().equals(only.unfoldedName())) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" must be one bean, such as \"{bean:contracts}\", which has the numbers of each"
                            + " partition");
        }
        String name = only.parameter();
        return new NumbersBean(
                name,
                new Lazy<>(() -> Platform.bean(LimitNumbers.class, name)
                        .orElseThrow(() -> new IllegalStateException("the bean \"" + name + "\" is gone"))));
    }

    /** Whether CDI has the bean. */
    public boolean exists() {
        return Platform.bean(LimitNumbers.class, name).isPresent();
    }

    /** The name in CDI. */
    public String name() {
        return name;
    }

    /** Finds the bean; a thread of the application knows its beans. */
    LimitNumbers find() {
        return bean.get();
    }
}
