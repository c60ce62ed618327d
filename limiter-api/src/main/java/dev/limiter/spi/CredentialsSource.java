package dev.limiter.spi;

import java.time.Instant;

/**
 * Provides user and password of the store if they change while the application runs, such as the
 * token of a cloud or what Vault issues. Write it as a CDI bean, or as a service of
 * {@link java.util.ServiceLoader}, which is used if there is no bean. Then leave user and password
 * out of {@code limiter.redis.uri}.
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
 * are renewed when the store refuses them.
 *
 * <ul>
 * <li>It is called on a thread of the limiter, without a request.
 * <li>If a call throws, returns nothing usable, or takes longer than 10 s, the last credentials
 *     stay in force. {@code limiter.credentials.failures} counts it, it is logged, and repeated
 *     after 1 s, or sooner if they end sooner. A late answer is used when it comes.
 * <li>Set time-outs: a late call is interrupted and a second one begun beside it, but never a
 *     third.
 * </ul>
 */
@FunctionalInterface
public interface CredentialsSource {

    /**
     * {@return the credentials to use from now on; never null}
     *
     * @throws Exception if there are none; its class and its place are logged, but not its
     *     message, which may contain a password
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

        /** Leaves out the password. */
        @Override
        public String toString() {
            return "Credentials[user=" + user + ", until=" + until + ']';
        }
    }
}
