package dev.limiter.redis.internal.topology;

import dev.limiter.redis.internal.identity.ChangingCredentials;
import dev.limiter.redis.internal.identity.StoreFile;
import java.util.Optional;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.SslOptions;

/** How Jedis connects: user, password, database, time-outs and TLS. */
public final class ClientConfig {
    private ClientConfig() {}

    /** The configuration for a URI, with the certificates that the JVM trusts. */
    public static DefaultJedisClientConfig.Builder of(RedisUri uri, Timeouts timeouts) {
        DefaultJedisClientConfig.Builder client = DefaultJedisClientConfig.builder()
                // No greeting: its reply would delay the first decision, and numbers need no
                // RESP3.
                .serverDefaultProtocol()
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                .user(uri.user())
                .password(uri.password())
                .database(uri.database())
                .connectionTimeoutMillis(timeouts.connectMillis())
                // The watchdog comes before, and knows whether this process was late.
                .socketTimeoutMillis(2 * timeouts.deadlineMillis());
        return uri.tls() ? client.sslOptions(SslOptions.defaults()) : client;
    }

    /**
     * The same with what the application has of its own. The certificate of the server and the name
     * of its host are verified.
     *
     * @param trusted the certificates to trust with TLS; empty for what the JVM trusts
     * @param own the certificate of this client with TLS; empty for none
     * @param credentials in place of those of the URI; empty for these
     */
    public static JedisClientConfig of(
            RedisUri uri,
            Timeouts timeouts,
            Optional<StoreFile> trusted,
            Optional<StoreFile> own,
            Optional<ChangingCredentials> credentials) {
        DefaultJedisClientConfig.Builder client = of(uri, timeouts);
        if (uri.tls()) {
            SslOptions.Builder tls = SslOptions.builder();
            trusted.ifPresent(file -> tls.truststore(file, file.password()));
            own.ifPresent(file -> tls.keystore(file, file.password()));
            client.sslOptions(tls.build());
        }
        credentials.ifPresent(client::credentialsProvider);
        return client.build();
    }
}
