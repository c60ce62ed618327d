package dev.limiter.jaxrs.internal.policy;

import dev.limiter.PartitionKey;
import dev.limiter.jaxrs.internal.form.FakeRequest;
import dev.limiter.jaxrs.internal.key.KeyExpression;
import dev.limiter.jaxrs.internal.signals.MeterSheet;
import java.util.Objects;
import java.util.function.Consumer;

/** A caller of a test. Without a key, no policy may ask for one. */
public record StatedByTest(String tier, PartitionKey partition, FakeRequest request, Consumer<MeterSheet> heard)
        implements Caller {
    public static StatedByTest of(String tier, PartitionKey partition) {
        return new StatedByTest(tier, partition, new FakeRequest(), what -> {});
    }

    static StatedByTest of(FakeRequest request, Consumer<MeterSheet> heard) {
        return new StatedByTest(null, null, request, heard);
    }

    @Override
    public PartitionKey key() {
        return Objects.requireNonNull(partition);
    }

    @Override
    public String value(String what, KeyExpression.Segment expression) {
        return expression.value(request);
    }

    @Override
    public void lacks(MeterSheet what) {
        heard.accept(what);
    }
}
