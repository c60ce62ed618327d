package dev.limiter.servers.war;

import java.util.Set;
import org.eclipse.microprofile.jwt.JsonWebToken;

/**
 * A caller with a claim {@code tenant}: {@code blue} is the text, {@code json:blue} the text as
 * JSON, where the server has JSON, and {@code json:null} is its null.
 *
 * @param name the caller
 * @param tenant what the claim says
 */
record Token(String name, String tenant) implements JsonWebToken {
    private static final String AS_JSON = "json:";

    @Override
    public String getName() {
        return name;
    }

    @Override
    public Set<String> getClaimNames() {
        return Set.of("tenant");
    }

    @Override
    @SuppressWarnings("unchecked") // as the interface has it
    public <T> T getClaim(String claimName) {
        if (!claimName.equals("tenant")) {
            return null;
        }
        return (T) (tenant.startsWith(AS_JSON) ? JsonText.of(tenant.substring(AS_JSON.length())) : tenant);
    }
}
