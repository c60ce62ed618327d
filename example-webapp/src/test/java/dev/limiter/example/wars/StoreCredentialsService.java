package dev.limiter.example.wars;

import dev.limiter.spi.CredentialsSource;
import jakarta.enterprise.inject.Vetoed;

/** The same for {@link java.util.ServiceLoader}. */
@Vetoed
public final class StoreCredentialsService implements CredentialsSource {

    /** For {@link java.util.ServiceLoader}. */
    public StoreCredentialsService() {}

    @Override
    public Credentials newest() {
        return new Credentials("service", "of a service", null);
    }
}
