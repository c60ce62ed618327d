package dev.limiter.cdi.internal;

import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.build.compatible.spi.Parameters;
import jakarta.enterprise.inject.build.compatible.spi.SyntheticBeanCreator;
import java.util.List;

/** The classes of beans with limits, which {@link BeanLimitsExtension} has found. */
record LimitedClasses(List<Class<?>> types) {
    static final String PARAMETER = "types";

    /** Makes them where the application runs; they may have been found where it was built. */
    public static final class Creator implements SyntheticBeanCreator<LimitedClasses> {
        /** For CDI. */
        public Creator() {}

        @Override
        public LimitedClasses create(Instance<Object> beans, Parameters parameters) {
            return new LimitedClasses(List.of(parameters.get(PARAMETER, Class[].class)));
        }
    }
}
