package dev.limiter.redis.internal.topology;

import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Settings;
import java.io.File;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Optional;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.SslOptions;

/** How Jedis connects: user, password, database, time-outs and TLS. */
public final class ClientConfig {
    private static final String TRUST_STORE = "limiter.redis.trust-store";

    private ClientConfig() {}

    /**
     * The configuration for a URI.
     *
     * @throws InvalidSettingException if the file of trusted certificates cannot be read
     */
    public static JedisClientConfig of(RedisUri uri, Timeouts timeouts, Settings settings) {
        DefaultJedisClientConfig.Builder client = DefaultJedisClientConfig.builder()
                // No greeting: its reply would delay the first decision, and numbers need no
                // RESP3.
                .serverDefaultProtocol()
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                .user(uri.user())
                .password(uri.password())
                .database(uri.database())
                .connectionTimeoutMillis(timeouts.connectMillis())
                .socketTimeoutMillis(timeouts.deadlineMillis());
        return uri.tls() ? client.sslOptions(tls(settings)).build() : client.build();
    }

    /**
     * The certificate and the host's name are verified, against what the JVM trusts unless the
     * settings say otherwise.
     */
    private static SslOptions tls(Settings settings) {
        Optional<String> path = settings.value(TRUST_STORE);
        if (path.isEmpty()) {
            return SslOptions.defaults();
        }
        File file = new File(path.get());
        char[] password = settings.value(TRUST_STORE + "-password").orElse("").toCharArray();
        try {
            KeyStore.getInstance(file, password);
        } catch (GeneralSecurityException | IOException | IllegalArgumentException unreadable) {
            throw new InvalidSettingException(
                    TRUST_STORE,
                    "\"" + path.get() + "\" cannot be read as a store of certificates: " + unreadable.getMessage());
        }
        return SslOptions.builder().truststore(file, password).build();
    }
}
