package dev.limiter.jaxrs.internal.signals;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every listener hears every signal. */
class ListenersLawTest {
    private final List<String> heard = new ArrayList<>();

    static List<Method> signals() {
        return List.of(RequestSignals.class.getMethods());
    }

    /** Also one that is added some day. */
    @ParameterizedTest
    @MethodSource("signals")
    void eachSignalIsHandedToAll(Method signal) throws Exception {
        Object[] arguments = new Object[signal.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
            Class<?> type = signal.getParameterTypes()[i];
            arguments[i] = type == boolean.class ? Boolean.TRUE : type == long.class ? Long.valueOf(7) : any(type);
        }
        Listeners listeners = Listeners.of(type -> Optional.empty(), listener("first"), listener("second"));
        signal.invoke(listeners, arguments);
        String said = signal.getName() + Arrays.asList(arguments);
        assertThat(heard).containsExactly("first " + said, "second " + said);
    }

    private RequestSignals listener(String name) {
        return (RequestSignals) Proxy.newProxyInstance(
                RequestSignals.class.getClassLoader(),
                new Class<?>[] {RequestSignals.class},
                (proxy, method, arguments) -> {
                    heard.add(name
                            + ' '
                            + method.getName()
                            + Arrays.asList(arguments == null ? new Object[0] : arguments));
                    return null;
                });
    }

    private static Object any(Class<?> type) {
        if (type == String.class) {
            return "words";
        }
        return type.isEnum() ? type.getEnumConstants()[1] : null;
    }
}
