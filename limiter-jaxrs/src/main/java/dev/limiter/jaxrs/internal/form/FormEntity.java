package dev.limiter.jaxrs.internal.form;

import jakarta.ws.rs.core.Form;
import jakarta.ws.rs.core.MultivaluedMap;
import java.util.stream.Stream;

/**
 * Whether the method of a request takes its body as a whole form. Jersey reads a {@link Form}
 * from a body of any type, and from one without a type even where the method consumes urlencoded
 * forms alone.
 */
public enum FormEntity {
    /** A parameter of the method takes the form, whatever the type of the body. */
    TAKEN,
    /** The method reads a form only if the body has the type of a form. */
    NOT_TAKEN,
    /** The request has no method yet. */
    UNKNOWN;

    /**
     * The value for a method. Only the parameter for the entity can have one of the two types.
     *
     * @param parameters the types of its parameters, as the resource class sees them
     */
    public static FormEntity of(Class<?>[] parameters) {
        boolean taken = Stream.of(parameters)
                .anyMatch(type -> Form.class.isAssignableFrom(type) || MultivaluedMap.class.isAssignableFrom(type));
        return taken ? TAKEN : NOT_TAKEN;
    }
}
