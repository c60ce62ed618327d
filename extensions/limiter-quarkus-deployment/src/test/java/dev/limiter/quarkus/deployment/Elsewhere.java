package dev.limiter.quarkus.deployment;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import io.smallrye.mutiny.Uni;

/** A sub-resource in a library that Quarkus does not index. */
public class Elsewhere extends Table.SubOfSub {
    @Override
    @RateLimited(name = "elsewhere", key = "{ip}", algorithm = Algorithm.FIXED_WINDOW, limit = 2, window = "1d")
    public Uni<String> get() {
        return super.get();
    }
}
