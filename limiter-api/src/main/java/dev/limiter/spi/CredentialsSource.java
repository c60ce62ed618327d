package dev.limiter.spi;

import java.time.Instant;

/**
 * Says user and password of the store, where they change while the application runs: a token of a
 * cloud, or what Vault hands out. A CDI bean of this type is found by the limiter, or without such
 * a bean a service of {@link java.util.ServiceLoader}. {@code limiter.redis.uri} then has neither
 * user nor password.
 *
 * <pre>{@code
 * @ApplicationScoped
 * public class Tokens implements CredentialsSource {
 *     public Credentials newest() throws IOException {
 *         Token token = identity.token();          // ends at 12:00
 *         return new Credentials("limiter", token.text(), token.end());
 *     }
 * }
 * }</pre>
 *
 * <p>The limiter calls it at the start, and again when three quarters of the time until the end
 * have passed: credentials that came at 11:00 and end at 12:00 are renewed at 11:45. All open
 * connections are authenticated with the new ones, and none is closed. Credentials without an end
 * are asked for again when the store refuses them.
 *
 * <p>It is called on a thread of the limiter, without a request. A call that throws, returns
 * nothing usable, or takes longer than 10 s, leaves the last credentials in force. It is counted
 * by {@code limiter.credentials.failures}, logged, and repeated after 1 s, or sooner if they end
 * sooner. A late answer is used when it comes. A source should set time-outs: a late call is
 * interrupted and a second one begun beside it, but never a third.
 */
@FunctionalInterface
public interface CredentialsSource {

    /**
     * {@return the credentials to use from now on; never null}
     *
     * @throws Exception if there are none; its class and its place are logged, and not its
     *     message, which may have a password
     */
    Credentials newest() throws Exception;

    /**
     * User and password.
     *
     * @param user null for the default user
     * @param password not null and not empty
     * @param until when they end, after now; null if they have no known end
     */
    record Credentials(String user, String password, Instant until) {

        /** A text without the password. */
        @Override
        public String toString() {
            return "Credentials[user=" + user + ", until=" + until + ']';
        }
    }
}
