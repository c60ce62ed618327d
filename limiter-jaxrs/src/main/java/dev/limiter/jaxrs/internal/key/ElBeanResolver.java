package dev.limiter.jaxrs.internal.key;

import jakarta.el.BeanELResolver;
import jakarta.el.ELContext;
import jakarta.el.ELException;
import java.lang.reflect.Modifier;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Resolves properties and methods of objects, except classes and static members, which would
 * lead from any object to all of the machine. {@code ''.getClass().forName(…)} would otherwise
 * run.
 */
final class ElBeanResolver extends BeanELResolver {
    private static final Set<String> OF_EVERY_OBJECT =
            Set.of("getClass", "wait", "notify", "notifyAll", "clone", "finalize");
    private static final Set<Class<?>> CLOSED = Set.of(
            Class.class,
            ClassLoader.class,
            Module.class,
            ModuleLayer.class,
            Thread.class,
            Runtime.class,
            Process.class);

    ElBeanResolver() {
        super(true);
    }

    @Override
    public Object getValue(ELContext context, Object base, Object property) {
        if (base != null) {
            requireOpen(base);
            if (property != null && property.toString().equals("class")) {
                throw new ELException("the class of an object cannot be reached from an expression");
            }
        }
        return super.getValue(context, base, property);
    }

    @Override
    public Object invoke(ELContext context, Object base, Object method, Class<?>[] types, Object[] arguments) {
        if (base != null && method != null) {
            requireOpen(base);
            requireOrdinary(base, method.toString());
        }
        return super.invoke(context, base, method, types, arguments);
    }

    private static void requireOpen(Object base) {
        boolean reflection = base.getClass().getPackageName().startsWith("java.lang.reflect")
                || base.getClass().getPackageName().startsWith("java.lang.invoke");
        if (reflection || CLOSED.stream().anyMatch(type -> type.isInstance(base))) {
            throw new ELException("a " + base.getClass().getSimpleName() + " cannot be used in an expression");
        }
    }

    private static void requireOrdinary(Object base, String method) {
        boolean isStatic = Stream.of(base.getClass().getMethods())
                .anyMatch(each -> each.getName().equals(method) && Modifier.isStatic(each.getModifiers()));
        if (isStatic || OF_EVERY_OBJECT.contains(method)) {
            throw new ELException("the method " + method + " cannot be called in an expression");
        }
    }
}
