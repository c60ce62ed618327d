package dev.limiter.redis.internal.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.spi.Signals;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ForgettingSignalsTest {
    private static final Set<String> FORGETTING = Set.of("breaker", "clockStepped");

    static List<Method> signals() {
        return List.of(Signals.class.getMethods());
    }

    /** Also one that is added some day. */
    @ParameterizedTest
    @MethodSource("signals")
    void everySignalIsHandedOn(Method signal) throws Exception {
        List<String> heard = new ArrayList<>();
        List<List<Object>> said = new ArrayList<>();
        Signals listener = (Signals) Proxy.newProxyInstance(
                Signals.class.getClassLoader(), new Class<?>[] {Signals.class}, (proxy, method, arguments) -> {
                    heard.add(method.getName());
                    said.add(Arrays.asList(arguments == null ? new Object[0] : arguments));
                    return null;
                });
        Object[] arguments = new Object[signal.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
            Class<?> type = signal.getParameterTypes()[i];
            arguments[i] = type == boolean.class ? Boolean.TRUE : type == long.class ? Long.valueOf(7) : any(type);
        }
        signal.invoke(new ForgettingSignals(listener, () -> heard.add("forgotten")), arguments);
        assertThat(heard)
                .isEqualTo(
                        FORGETTING.contains(signal.getName())
                                ? List.of("forgotten", signal.getName())
                                : List.of(signal.getName()));
        assertThat(said).as("what it says").containsExactly(Arrays.asList(arguments));
    }

    private static Object any(Class<?> type) {
        if (type == String.class) {
            return "words";
        }
        return type.isEnum() ? type.getEnumConstants()[1] : null;
    }
}
