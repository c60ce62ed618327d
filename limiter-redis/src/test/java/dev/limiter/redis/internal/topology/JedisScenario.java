package dev.limiter.redis.internal.topology;

import dev.limiter.redis.internal.limiter.RedisRateLimiterProvider;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.RateLimiterProvider;
import dev.limiter.spi.Settings;
import dev.limiter.spi.Signals;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/** What the provider says at the start, loaded beside some Jedis. */
public final class JedisScenario implements Callable<String> {
    private static final Settings SETTINGS = name -> Optional.ofNullable(
            Map.of("limiter.redis.uri", "redis://127.0.0.1:1").get(name));

    @Override
    public String call() {
        RateLimiterProvider provider = new RedisRateLimiterProvider();
        provider.check(name -> Optional.empty()); // in memory any Jedis will do
        String atCheck = said(() -> provider.check(SETTINGS));
        String atCreation = said(() ->
                provider.create("shop", SETTINGS, Signals.NONE).orElseThrow().close());
        return atCheck.equals(atCreation) ? atCheck : atCheck + " / " + atCreation;
    }

    private static String said(Runnable start) {
        try {
            start.run();
            return "started";
        } catch (InvalidSettingException refused) {
            return refused.getMessage();
        }
    }
}
