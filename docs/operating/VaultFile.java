import dev.limiter.spi.CredentialsSource;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Properties;

/** The credentials that Vault's agent has written. */
@ApplicationScoped
public class VaultFile implements CredentialsSource {
    private static final Path FILE = Path.of("/vault/secrets/redis.properties");

    @Override
    public Credentials newest() throws IOException {
        Properties read = new Properties();
        try (Reader in = Files.newBufferedReader(FILE)) {
            read.load(in);
        }
        return new Credentials(read.getProperty("user"), read.getProperty("password"),
                Instant.parse(read.getProperty("until"))); // such as 2026-11-24T12:00:00Z
    }
}
