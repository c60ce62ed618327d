package dev.limiter.redis.internal.combine;

import dev.limiter.spi.StoreError;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.regex.Pattern;
import redis.clients.jedis.exceptions.JedisClusterOperationException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * The meaning of Jedis' exceptions and of the servers' error replies.
 *
 * <p>An error reply begins with its code, such as {@code NOPERM}. Only the code decides, or the
 * server's own words at the place of the code. The rest of a reply may hold the name of a
 * command or of a user, so the rest decides nothing.
 */
public final class RedisErrors {
    /**
     * Redis 6.2 puts the place in the script before the code; newer servers put it at the end.
     */
    private static final Pattern PLACE = Pattern.compile("(?:ERR Error running script \\(call to f_[0-9a-f]{40}\\): "
            + "@user_script:\\d+: )?(?:@user_script: \\d+: )?-?");

    private static final String NO_CODE = "ERR ";

    /**
     * A permission that a script lacks: the words of Redis 6.2 and 7.0, then of newer servers.
     */
    private static final List<String> NOT_PERMITTED = List.of(
            "The user executing the script can't run this command",
            "The user executing the script can't access at least one of the keys",
            "ACL failure in script: ");

    private static final String TOO_MANY_CLIENTS = "max number of clients";

    /** The beginning of Jedis' message for a reply that is not in Redis' protocol. */
    private static final String NO_REPLY_OF_REDIS = "Unknown reply: ";

    private RedisErrors() {}

    /** The kind of an error reply. */
    public static StoreError of(JedisDataException refusal) {
        if (refusal instanceof JedisRedirectionException) {
            return StoreError.CLUSTER;
        }
        String words = PLACE.matcher(String.valueOf(refusal.getMessage())).replaceFirst("");
        return switch (words.split(" ", 2)[0]) {
            case "NOPERM", "NOAUTH", "WRONGPASS", "DENIED" -> StoreError.NOT_PERMITTED;
            case "BUSY", "UNKILLABLE" -> StoreError.BUSY;
            case "CLUSTERDOWN", "TRYAGAIN", "MOVED", "ASK" -> StoreError.CLUSTER;
            case "READONLY" -> StoreError.READ_ONLY;
            case "LOADING", "MASTERDOWN" -> StoreError.LOADING;
            case "OOM" -> StoreError.OUT_OF_MEMORY;
            case "MISCONF", "NOREPLICAS" -> StoreError.REFUSES_WRITES;
            default -> withoutCode(words.startsWith(NO_CODE) ? words.substring(NO_CODE.length()) : words);
        };
    }

    /** The kind of an error that has no code of its own. */
    private static StoreError withoutCode(String words) {
        if (NOT_PERMITTED.stream().anyMatch(words::startsWith)) {
            return StoreError.NOT_PERMITTED;
        }
        return words.startsWith(TOO_MANY_CLIENTS) ? StoreError.NOT_CONNECTED : StoreError.OTHER;
    }

    /** Why there is no connection. */
    static StoreError ofConnecting(RuntimeException failed) {
        if (failed instanceof JedisDataException refusal) {
            StoreError error = of(refusal);
            return error == StoreError.OTHER ? StoreError.NOT_CONNECTED : error;
        }
        if (failed instanceof JedisClusterOperationException) {
            return StoreError.CLUSTER;
        }
        Throwable cause = failed.getCause();
        return cause instanceof NoSuchElementException || cause instanceof InterruptedException
                ? StoreError.POOL_EXHAUSTED
                : StoreError.NOT_CONNECTED;
    }

    /** Why there is no reply. */
    static StoreError ofWaiting(RuntimeException failed) {
        return failed.getCause() instanceof SocketTimeoutException ? StoreError.TIMED_OUT : StoreError.BROKEN;
    }

    /**
     * Whether the error says that the server cannot decide. A server that is full, or that
     * refuses writes only, still rejects what is over the limit. A server whose slot moves, or
     * that lacks a script, can decide. An error for one key says nothing about others.
     */
    public static boolean isIllness(StoreError error) {
        return switch (error) {
            case NOT_CONNECTED, TIMED_OUT, BROKEN, NOT_PERMITTED, BUSY, LOADING, READ_ONLY -> true;
            case POOL_EXHAUSTED, OUT_OF_MEMORY, REFUSES_WRITES, CLUSTER, OTHER -> false;
        };
    }

    /**
     * Whether the error concerns the connection, so that another may work. The connection leads
     * to a former master, or the server closes it, since it has too many.
     */
    static boolean isOfConnection(StoreError refusal) {
        return refusal == StoreError.READ_ONLY || refusal == StoreError.NOT_CONNECTED;
    }

    /**
     * Whether a server, or one of several, replied in another protocol than Redis', such as
     * HTTP.
     */
    public static boolean isOtherProtocol(RuntimeException failed) {
        return String.valueOf(failed.getMessage()).contains(NO_REPLY_OF_REDIS);
    }
}
