package dev.limiter.jaxrs.internal.key;

import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.internal.form.UnreadableFormException;
import dev.limiter.jaxrs.internal.platform.Platform;
import jakarta.el.ELContext;
import jakarta.el.ELException;
import jakarta.el.ELResolver;
import jakarta.el.ExpressionFactory;
import jakarta.el.FunctionMapper;
import jakarta.el.ImportHandler;
import jakarta.el.ValueExpression;
import jakarta.el.VariableMapper;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * An expression of Jakarta Expression Language as a source of keys, compiled at deployment. It
 * sees {@code request}, {@code user}, {@code ip}, {@code endpoint} and the named CDI beans, and
 * reaches no class and nothing static.
 *
 * @param beans looked up once: a proxy finds the instance of its scope, and any other bean lives
 *     as long as this
 */
record ElExpression(
        String text, ExpressionFactory factory, ValueExpression compiled, Map<String, Optional<Object>> beans)
        implements Function<LimitedRequest, String> {
    /**
     * @param text with {@code #{} and closing brace
     * @throws IllegalArgumentException if it is not well-formed, names what cannot exist, or
     *     nothing here can evaluate it
     */
    static ElExpression compile(String text) {
        ExpressionFactory factory;
        try {
            factory = ExpressionFactory.newInstance();
        } catch (ELException absent) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" needs Jakarta Expression Language, and the server has no"
                            + " implementation of it: " + absent.getMessage());
        }
        ValueExpression compiled;
        try {
            compiled = factory.createValueExpression(new Context(factory, null, name -> null), text, String.class);
        } catch (ELException wrong) {
            throw new IllegalArgumentException("\"" + text + "\" is not an expression: "
                    + String.valueOf(wrong.getMessage()).strip().replaceAll("\\s+", " "));
        }
        ElMembers.requireExisting(text);
        return new ElExpression(text, factory, compiled, new ConcurrentHashMap<>());
    }

    /**
     * The value as text; null if it is null, or if an object on the way to it is null.
     *
     * @throws FailedExpressionException if it cannot be evaluated
     * @throws UnreadableFormException if it asks for a field of a form that cannot be read
     */
    @Override
    public String apply(LimitedRequest request) {
        try {
            Object value = compiled.getValue(new Context(factory, request, this::bean));
            return value == null ? null : value.toString();
        } catch (RuntimeException failed) {
            throw withoutValues(failed);
        }
    }

    /**
     * An exception without the original message. That message may quote a value of the client,
     * line ends included, and would stand in the log.
     */
    private FailedExpressionException withoutValues(RuntimeException failed) {
        Throwable first = failed;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        if (first instanceof UnreadableFormException unreadable) {
            throw unreadable;
        }
        return new FailedExpressionException(
                text + " cannot be evaluated: " + failed.getClass().getSimpleName()
                        + (first == failed
                                ? ""
                                : " because of a " + first.getClass().getSimpleName()),
                first.getStackTrace());
    }

    private Object bean(String name) {
        return beans.computeIfAbsent(name, each -> Platform.bean(Object.class, each))
                .orElse(null);
    }

    /** The context of one evaluation. */
    private static final class Context extends ELContext {
        private static final FunctionMapper NO_FUNCTIONS = new FunctionMapper() {
            @Override
            public java.lang.reflect.Method resolveFunction(String prefix, String name) {
                return null;
            }
        };
        private static final VariableMapper NO_VARIABLES = new VariableMapper() {
            @Override
            public ValueExpression resolveVariable(String name) {
                return null;
            }

            @Override
            public ValueExpression setVariable(String name, ValueExpression expression) {
                return null;
            }
        };
        private static final ImportHandler NO_IMPORTS = new ImportHandler() {
            @Override
            public Class<?> resolveClass(String name) {
                return null;
            }

            @Override
            public Class<?> resolveStatic(String name) {
                return null;
            }
        };

        private final ELResolver resolver;

        Context(ExpressionFactory factory, LimitedRequest request, Function<String, Object> beans) {
            this.resolver = new ElResolver(request, beans);
            putContext(ExpressionFactory.class, factory);
        }

        @Override
        public ELResolver getELResolver() {
            return resolver;
        }

        @Override
        public FunctionMapper getFunctionMapper() {
            return NO_FUNCTIONS;
        }

        @Override
        public VariableMapper getVariableMapper() {
            return NO_VARIABLES;
        }

        /**
         * Imports nothing: otherwise {@code Math} would be {@code java.lang.Math}, and
         * {@code Runtime} would be reachable.
         */
        @Override
        public ImportHandler getImportHandler() {
            return NO_IMPORTS;
        }
    }
}
