package dev.limiter.jaxrs.internal.key;

import dev.limiter.jaxrs.LimitedRequest;
import jakarta.el.ArrayELResolver;
import jakarta.el.CompositeELResolver;
import jakarta.el.ELContext;
import jakarta.el.ELResolver;
import jakarta.el.ListELResolver;
import jakarta.el.MapELResolver;
import java.util.function.Function;

/** Resolves names and properties in an expression. It writes nothing and reaches no class. */
final class ElResolver extends CompositeELResolver {

    /**
     * @param beans finds a CDI bean by its name; null if there is none
     */
    ElResolver(LimitedRequest request, Function<String, Object> beans) {
        add(new Names(request, beans));
        add(new MapELResolver(true));
        add(new ListELResolver(true));
        add(new ArrayELResolver(true));
        add(new ElBeanResolver());
    }

    /** The names that an expression can begin with. */
    private static final class Names extends ELResolver {
        private final LimitedRequest request;
        private final Function<String, Object> beans;

        Names(LimitedRequest request, Function<String, Object> beans) {
            this.request = request;
            this.beans = beans;
        }

        @Override
        public Object getValue(ELContext context, Object base, Object name) {
            if (base != null || !(name instanceof String text)) {
                return null;
            }
            context.setPropertyResolved(true);
            return switch (text) {
                case "request" -> request;
                case "user" -> request.user();
                case "ip" -> request.clientAddress();
                case "endpoint" -> request.endpoint();
                default -> beans.apply(text);
            };
        }

        @Override
        public Class<?> getType(ELContext context, Object base, Object name) {
            return null;
        }

        @Override
        public void setValue(ELContext context, Object base, Object name, Object value) {
            // nothing can be written: not resolved, which is an error
        }

        @Override
        public boolean isReadOnly(ELContext context, Object base, Object name) {
            return true;
        }

        @Override
        public Class<?> getCommonPropertyType(ELContext context, Object base) {
            return String.class;
        }
    }
}
