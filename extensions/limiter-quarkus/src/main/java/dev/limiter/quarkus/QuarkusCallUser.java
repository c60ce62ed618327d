package dev.limiter.quarkus;

import dev.limiter.cdi.CallUser;
import io.quarkus.arc.Arc;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.enterprise.inject.Instance;
import java.security.Principal;

/** Names the user of limited beans outside of Jakarta REST, such as tools of an MCP server. */
public final class QuarkusCallUser implements CallUser {
    /** For {@link java.util.ServiceLoader}. */
    public QuarkusCallUser() {}

    @Override
    public Principal user() {
        Instance<SecurityIdentity> found = Arc.container().select(SecurityIdentity.class);
        return found.isResolvable() && !found.get().isAnonymous() ? found.get().getPrincipal() : null;
    }
}
