package dev.limiter.example.wars;

import dev.limiter.spi.CredentialsSource;
import jakarta.enterprise.context.ApplicationScoped;

/** An application whose password of Redis is not in its configuration. */
@ApplicationScoped
public class StoreCredentials implements CredentialsSource {

    @Override
    public Credentials newest() {
        return new Credentials("bean", "of a bean", null);
    }
}
