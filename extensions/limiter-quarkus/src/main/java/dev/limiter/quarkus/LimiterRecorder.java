package dev.limiter.quarkus;

import io.quarkus.runtime.RuntimeValue;
import io.quarkus.runtime.annotations.Recorder;
import java.util.List;
import java.util.Set;

/** Hands what the build has found to the application. */
@Recorder
public class LimiterRecorder {
    /** For the build. */
    public LimiterRecorder() {}

    /**
     * {@return the application of Jakarta REST}
     *
     * @param type its class
     * @param roots its root resources
     * @param free the methods that no limit can count
     * @param isLimited whether a class carries limits
     * @param isLimitedEarly whether one of them stands before authentication
     */
    public RuntimeValue<RestApplication> application(
            Class<?> type, List<Class<?>> roots, Set<String> free, boolean isLimited, boolean isLimitedEarly) {
        return new RuntimeValue<>(new RestApplication(type, Set.copyOf(roots), free, isLimited, isLimitedEarly));
    }
}
