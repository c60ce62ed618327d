package dev.limiter.redis.internal.topology;

import java.io.File;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.SslOptions;

/** How Jedis connects: user, password, database, time-outs and TLS. */
public final class ClientConfig {
    private ClientConfig() {}

    /**
     * The configuration for a URI.
     *
     * @param trustStore the file of certificates to trust with TLS; empty for what the JVM trusts
     * @throws IllegalArgumentException if that file cannot be read
     */
    public static JedisClientConfig of(RedisUri uri, Timeouts timeouts, String trustStore, String trustStorePassword) {
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
        return uri.tls()
                ? client.sslOptions(tls(trustStore, trustStorePassword.toCharArray()))
                        .build()
                : client.build();
    }

    /** The certificate and the host's name are verified. */
    private static SslOptions tls(String trustStore, char[] password) {
        if (trustStore.isEmpty()) {
            return SslOptions.defaults();
        }
        File file = new File(trustStore);
        try {
            KeyStore.getInstance(file, password);
        } catch (GeneralSecurityException | IOException | IllegalArgumentException unreadable) {
            throw new IllegalArgumentException(
                    '"' + trustStore + "\" cannot be read as a store of certificates: " + unreadable.getMessage());
        }
        return SslOptions.builder().truststore(file, password).build();
    }
}
