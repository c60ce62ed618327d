package dev.limiter.jaxrs.internal.key;

import dev.limiter.jaxrs.internal.platform.Platform;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.security.Principal;
import org.eclipse.microprofile.jwt.JsonWebToken;

/**
 * The claims of a caller that a MicroProfile JWT authenticates. A class of its own, so that the
 * JWT types are loaded only where they exist.
 */
final class JwtClaims {
    private static final boolean JSON = Platform.isPresent("jakarta.json.JsonString");

    private JwtClaims() {}

    /** The claim as text; null for another kind of principal, or without that claim. */
    static String of(Principal user, String name) {
        Object claim = user instanceof JsonWebToken token ? token.getClaim(name) : null;
        if (JSON && claim instanceof JsonString text) {
            return text.getString(); // its own text has quotes around it
        }
        boolean missing = claim == null || JSON && claim == JsonValue.NULL;
        return missing ? null : claim.toString();
    }
}
