package dev.limiter.operations.internal;

import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.jaxrs.internal.bootstrap.ApplicationRuntime;
import dev.limiter.jaxrs.internal.bootstrap.ServerContext;
import dev.limiter.jaxrs.internal.settings.ChangedSettings;
import dev.limiter.local.RateLimiterContract;
import dev.limiter.testkit.RedisServer;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;

/** All layers of an application, as its filters ask them: with a ban, a candidate, and Redis. */
@Tag("store")
class StackContractTest extends RateLimiterContract {
    @AutoClose
    private final RedisServer redis = RedisServer.start();

    @AutoClose
    private final ApplicationRuntime application = new ApplicationRuntime(
            new ChangedSettings(
                    Map.of(
                            "limiter.redis.uri", redis.uri(),
                            "limiter.redis.deadline", "1m", // no test may fail because the machine is slow
                            "limiter.on-store-failure", "CLOSED", // what Redis does not decide is an exception
                            "limiter.policy.day.key", "'all'",
                            "limiter.policy.day.algorithm", "FIXED_WINDOW",
                            "limiter.policy.day.limit", "10",
                            "limiter.policy.day.window", "1d",
                            "limiter.policy.day.ban", "1h after 1000",
                            "limiter.policy.day.candidate.limit", "5"),
                    name -> Optional.empty()),
            ServerContext.ofServlets("/zoo", () -> {}));

    @Override
    protected Policy day() {
        return application.limits().policy("day");
    }

    @Override
    protected RateLimiter limiter() {
        return application.limiter();
    }
}
