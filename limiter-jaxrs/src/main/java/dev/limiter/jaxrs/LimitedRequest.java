package dev.limiter.jaxrs;

import java.security.Principal;
import java.util.List;

/**
 * A request to Jakarta REST or to a servlet, as limits see it: the source of keys, costs and
 * tiers. Everything in it is data that the client may have chosen, but for {@link #user},
 * {@link #clientAddress}, {@link #endpoint} and {@link #attribute}.
 */
public interface LimitedRequest {

    /**
     * {@return the HTTP method: one of RFC 9110, or {@code PATCH}; {@code GET} for {@code HEAD},
     * and {@code other} for all others}
     */
    String method();

    /** {@return the matched resource method, or the servlet; before matching the application} */
    String endpoint();

    /** {@return the authenticated caller; null when the caller is not authenticated} */
    Principal user();

    /**
     * {@return the other end of the connection, such as a proxy's address; null where the server
     * does not tell}
     */
    String peerAddress();

    /**
     * {@return the client's address as <code>{ip}</code> counts it} A {@link ClientAddress} must
     * not call it, since it asks that bean.
     */
    String clientAddress();

    /**
     * {@return the first value of a header; null when it is missing}
     *
     * @param name of the value
     */
    String header(String name);

    /**
     * {@return all values of a header, in their order}
     *
     * @param name of the value
     */
    List<String> headers(String name);

    /**
     * {@return the first value of a query parameter, decoded; null when it is missing}
     *
     * @param name of the value
     */
    String query(String name);

    /**
     * {@return the value of a path parameter, decoded; null when the path has none of that name,
     * as with servlets}
     *
     * @param name of the value
     */
    String pathParameter(String name);

    /**
     * {@return the value of a cookie; null when it is missing}
     *
     * @param name of the value
     */
    String cookie(String name);

    /**
     * {@return the value of a field of an urlencoded form as the method will see it; null when
     * it is missing} In a servlet it is the value of {@code getParameter}.
     *
     * <p>A form of more than 64 KiB, one that servers read differently, and several different
     * values, also in form and query, throw an exception that answers the request with 400, 411,
     * 413 or 415. Do not catch it.
     *
     * @param name of the value
     */
    String form(String name);

    /**
     * {@return a request property, or servlet attribute; null when it is missing}
     *
     * @param name of the value
     */
    Object attribute(String name);
}
