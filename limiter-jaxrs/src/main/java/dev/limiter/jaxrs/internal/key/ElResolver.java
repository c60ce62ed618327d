package dev.limiter.jaxrs.internal.key;

import dev.limiter.jaxrs.LimitedRequest;
import jakarta.el.ArrayELResolver;
import jakarta.el.BeanNameELResolver;
import jakarta.el.BeanNameResolver;
import jakarta.el.CompositeELResolver;
import jakarta.el.ListELResolver;
import jakarta.el.MapELResolver;
import java.util.function.Function;

/** Resolves names and properties in an expression. It writes nothing and reaches no class. */
final class ElResolver extends CompositeELResolver {

    /**
     * @param beans finds a CDI bean by its name; null if there is none
     */
    ElResolver(LimitedRequest request, Function<String, Object> beans) {
        add(new BeanNameELResolver(new Names(request, beans)));
        add(new MapELResolver(true));
        add(new ListELResolver(true));
        add(new ArrayELResolver(true));
        add(new ElBeanResolver());
    }

    /** The names that an expression can begin with. */
    private static final class Names extends BeanNameResolver {
        private final LimitedRequest request;
        private final Function<String, Object> beans;

        Names(LimitedRequest request, Function<String, Object> beans) {
            this.request = request;
            this.beans = beans;
        }

        @Override
        public boolean isNameResolved(String name) {
            return true;
        }

        @Override
        public Object getBean(String name) {
            return switch (name) {
                case "request" -> request;
                case "user" -> request.user();
                case "ip" -> request.clientAddress();
                case "endpoint" -> request.endpoint();
                default -> beans.apply(name);
            };
        }
    }
}
