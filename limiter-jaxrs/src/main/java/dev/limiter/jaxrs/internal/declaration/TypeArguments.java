package dev.limiter.jaxrs.internal.declaration;

import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The type arguments of a class for its super types: {@code T} is {@code String} for a class
 * that implements {@code Generic<String>}.
 */
public final class TypeArguments {
    private final Map<Type, Type> filledIn = new HashMap<>();

    private TypeArguments() {}

    public static TypeArguments of(Class<?> type) {
        TypeArguments parameters = new TypeArguments();
        for (Class<?> each : withSuperTypes(type)) {
            parameters.add(each.getGenericSuperclass());
            Stream.of(each.getGenericInterfaces()).forEach(parameters::add);
        }
        return parameters;
    }

    /**
     * A type and its super types without Object: the class before its super class before its
     * interfaces, as the specification says.
     */
    public static List<Class<?>> withSuperTypes(Class<?> type) {
        List<Class<?>> found = new ArrayList<>();
        collect(type, found);
        return found;
    }

    /** Whether a type is one of some, which may be absent, or extends or implements it. */
    public static boolean isAny(Class<?> type, Set<String> names) {
        return withSuperTypes(type).stream().anyMatch(each -> names.contains(each.getName()));
    }

    private static void collect(Class<?> type, List<Class<?>> found) {
        if (type != null && type != Object.class) {
            found.add(type);
            collect(type.getSuperclass(), found);
            Stream.of(type.getInterfaces()).forEach(implemented -> collect(implemented, found));
        }
    }

    /** The parameter types of a method of a super type, as the class sees them. */
    public Class<?>[] typesOf(Method inherited) {
        return Stream.of(inherited.getGenericParameterTypes()).map(this::erased).toArray(Class<?>[]::new);
    }

    private void add(Type superType) {
        if (superType instanceof ParameterizedType generic) {
            TypeVariable<?>[] names = ((Class<?>) generic.getRawType()).getTypeParameters();
            for (int i = 0; i < names.length; i++) {
                filledIn.put(names[i], generic.getActualTypeArguments()[i]);
            }
        }
    }

    private Class<?> erased(Type type) {
        if (filledIn.containsKey(type)) {
            return erased(filledIn.get(type));
        }
        if (type instanceof ParameterizedType generic) {
            return (Class<?>) generic.getRawType();
        }
        if (type instanceof GenericArrayType array) {
            return Array.newInstance(erased(array.getGenericComponentType()), 0).getClass();
        }
        return type instanceof TypeVariable<?> unknown ? erased(unknown.getBounds()[0]) : (Class<?>) type;
    }
}
