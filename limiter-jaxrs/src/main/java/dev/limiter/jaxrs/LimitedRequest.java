package dev.limiter.jaxrs;

import java.security.Principal;
import java.util.List;

/**
 * A request to Jakarta REST or to a servlet, as limits see it: the source of keys, costs and
 * tiers. The client may have chosen everything in it, except {@link #user},
 * {@link #clientAddress}, {@link #endpoint} and {@link #attribute}. With the module
 * {@code limiter-cdi} it may also be a call of a bean's method.
 */
public interface LimitedRequest {

    /**
     * {@return the HTTP method, if it is one of RFC 9110 or {@code PATCH}; {@code GET} for
     * {@code HEAD}, and {@code other} for all others}
     */
    String method();

    /** {@return the matched resource method, or the servlet; before matching, the application} */
    String endpoint();

    /** {@return the authenticated caller; null if there is none} */
    Principal user();

    /**
     * {@return the other end of the connection, which may be a proxy; null if the server does not
     * tell}
     */
    String peerAddress();

    /**
     * {@return the client's address as <code>{ip}</code> counts it} A {@link ClientAddress} must
     * not call this method, which asks that bean.
     */
    String clientAddress();

    /**
     * {@return the first value of a header; null if it is missing}
     *
     * @param name of the header
     */
    String header(String name);

    /**
     * {@return all values of a header, in their order}
     *
     * @param name of the header
     */
    List<String> headers(String name);

    /**
     * {@return the first value of a query parameter, decoded; null if it is missing}
     *
     * @param name of the parameter
     */
    String query(String name);

    /**
     * {@return the value of a path parameter, decoded; null if the path has none of that name, as
     * in a servlet}
     *
     * @param name of the parameter
     */
    String pathParameter(String name);

    /**
     * {@return the value of a cookie; null if it is missing}
     *
     * @param name of the cookie
     */
    String cookie(String name);

    /**
     * {@return the value of a field of an urlencoded form, as the method will see it; null if it
     * is missing} In a servlet it is the value of {@code getParameter}.
     *
     * <p>It throws an exception for a form of more than 64 KiB, one that servers read differently,
     * and several different values, also in form and query. Do not catch it: it answers the
     * request with 400, 411, 413 or 415.
     *
     * @param name of the field
     */
    String form(String name);

    /**
     * {@return a request property, or servlet attribute; null if it is missing}
     *
     * @param name of the property or attribute
     */
    Object attribute(String name);

    /**
     * {@return the argument with which the limited method of a bean was called; null for a request,
     * and if the method has no such parameter}
     *
     * @param name of the parameter
     */
    default Object parameter(String name) {
        return null;
    }
}
