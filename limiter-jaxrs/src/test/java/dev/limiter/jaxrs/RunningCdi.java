package dev.limiter.jaxrs;

import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.enterprise.util.TypeLiteral;
import java.lang.annotation.Annotation;
import java.lang.reflect.Proxy;
import java.util.Iterator;

/** CDI with one bean, as it is once a server has started it. */
public final class RunningCdi extends CDI<Object> {
    private final Class<?> type;
    private final Object bean;

    private RunningCdi(Class<?> type, Object bean) {
        this.type = type;
        this.bean = bean;
    }

    /** What a server calls. */
    public interface Start {
        void run() throws Exception;
    }

    /** Runs while CDI runs with one bean of this type. */
    public static <T> void with(Class<T> type, T bean, Start start) throws Exception {
        CDI<Object> cdi = new RunningCdi(type, bean);
        setCDIProvider(() -> cdi);
        try {
            start.run();
        } finally {
            configuredProvider = null;
        }
    }

    @Override
    @SuppressWarnings("unchecked") // a proxy of that interface
    public <U> Instance<U> select(Class<U> wanted, Annotation... qualifiers) {
        return (Instance<U>) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Instance.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "isAmbiguous" -> false;
                    case "isUnsatisfied" -> wanted != type;
                    case "get" -> bean;
                    default -> throw new AssertionError(method);
                });
    }

    @Override
    public BeanManager getBeanManager() {
        return (BeanManager) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {BeanManager.class}, (proxy, method, arguments) -> {
                    throw new UnsupportedOperationException(); // no portable extensions, as in ArC
                });
    }

    @Override
    public Instance<Object> select(Annotation... qualifiers) {
        throw new AssertionError();
    }

    @Override
    public <U> Instance<U> select(TypeLiteral<U> wanted, Annotation... qualifiers) {
        throw new AssertionError();
    }

    @Override
    public boolean isUnsatisfied() {
        throw new AssertionError();
    }

    @Override
    public boolean isAmbiguous() {
        throw new AssertionError();
    }

    @Override
    public void destroy(Object instance) {
        throw new AssertionError();
    }

    @Override
    public Handle<Object> getHandle() {
        throw new AssertionError();
    }

    @Override
    public Iterable<? extends Handle<Object>> handles() {
        throw new AssertionError();
    }

    @Override
    public Object get() {
        throw new AssertionError();
    }

    @Override
    public Iterator<Object> iterator() {
        throw new AssertionError();
    }
}
