package dev.limiter.servers;

import java.net.URL;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Tests of one topic, with two instances of one application: see {@link InstancesIT}. */
interface Instances {
    /** What is promised takes two seconds at most; the rest is for a slow machine. */
    Duration PATIENCE = Duration.ofSeconds(30);

    URL one();

    URL other();

    /** What both have been charged. */
    Charged charged();

    /** Settings of both. */
    LiveSettings settings();

    /** Returns when both have a value, which may be null. */
    default void awaitOnBoth(Function<URL, String> value, String expected) {
        LiveSettings.awaitOnEach(List.of(one(), other()), PATIENCE, value, expected);
    }

    @BeforeEach
    default void emptyRedis() {
        SharedRedis.empty();
    }

    /** Each test has policies of its own, so no test has to wait until this is in force. */
    @AfterEach
    default void asItWas() {
        settings().clearAll(one());
    }
}
