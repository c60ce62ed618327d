package dev.limiter.jaxrs;

import java.security.Principal;
import java.util.List;

/**
 * A request as limits see it, to Jakarta REST or to a servlet: what keys, costs and tiers are made of. Everything in it is data
 * that the client may have chosen, but for {@link #user}, {@link #clientAddress}, {@link #endpoint} and {@link #attribute}.
 */
public interface LimitedRequest {

    /** The HTTP method; {@code GET} for {@code HEAD}, which stands for it. */
    String method();

    /** The matched resource method, or the servlet; before matching the application. */
    String endpoint();

    /** Who is authenticated; null when nobody is. */
    Principal user();

    /** The other end of the connection, such as a proxy's address; null where the server does not tell. */
    String peerAddress();

    /** The client's address as <code>{ip}</code> counts it. Not to be asked by a {@link ClientAddress}, which answers it. */
    String clientAddress();

    /** The first value of a header; null when it is missing. */
    String header(String name);

    /** All values of a header, in their order. */
    List<String> headers(String name);

    /** The first value of a query parameter, decoded; null when it is missing. */
    String query(String name);

    /** The value of a path parameter, decoded; null when the path has none of that name, as with servlets. */
    String pathParameter(String name);

    /** The value of a cookie; null when it is missing. */
    String cookie(String name);

    /** The first value of a field of a form, if it stands within the first 8 KiB of the body; else null. */
    String form(String name);

    /** A request property, or servlet attribute; null when it is missing. */
    Object attribute(String name);
}
