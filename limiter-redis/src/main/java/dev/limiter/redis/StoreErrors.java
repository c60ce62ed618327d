package dev.limiter.redis;

import dev.limiter.spi.StoreError;
import java.net.SocketTimeoutException;
import java.util.NoSuchElementException;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisBusyException;
import redis.clients.jedis.exceptions.JedisClusterException;
import redis.clients.jedis.exceptions.JedisClusterOperationException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/** What the exceptions of Jedis and the error replies of Redis mean. */
final class StoreErrors {
    private StoreErrors() {}

    /** A refusal of Redis, by its words: since they differ with the version, the one that matters may stand anywhere. */
    static StoreError of(JedisDataException refusal) {
        String words = String.valueOf(refusal.getMessage());
        if (refusal instanceof JedisAccessControlException
                || words.contains("can't run this command")
                || words.contains("NOPERM")
                || words.contains("No permissions")
                || words.contains("can't access")) {
            return StoreError.NOT_PERMITTED;
        }
        if (refusal instanceof JedisBusyException) {
            return StoreError.BUSY;
        }
        if (refusal instanceof JedisClusterException
                || refusal instanceof JedisRedirectionException
                || words.startsWith("TRYAGAIN")
                || words.startsWith("CLUSTERDOWN")) {
            return StoreError.CLUSTER;
        }
        if (words.contains("READONLY")) {
            return StoreError.READ_ONLY;
        }
        if (words.startsWith("LOADING") || words.startsWith("MASTERDOWN")) {
            return StoreError.LOADING;
        }
        if (words.startsWith("OOM") || words.contains("-OOM")) {
            return StoreError.OUT_OF_MEMORY;
        }
        if (words.contains("max number of clients")) {
            return StoreError.POOL_EXHAUSTED;
        }
        if (words.contains("MISCONF") || words.contains("NOREPLICAS")) {
            return StoreError.REFUSES_WRITES;
        }
        return StoreError.OTHER;
    }

    /** Why there is no connection. */
    static StoreError ofConnecting(RuntimeException failed) {
        if (failed instanceof JedisDataException refusal) {
            return of(refusal);
        }
        if (failed instanceof JedisClusterOperationException) {
            return StoreError.CLUSTER;
        }
        Throwable cause = failed.getCause();
        return cause instanceof NoSuchElementException || cause instanceof InterruptedException
                ? StoreError.POOL_EXHAUSTED
                : StoreError.NOT_CONNECTED;
    }

    /** Why there is no answer. */
    static StoreError ofWaiting(RuntimeException failed) {
        return failed.getCause() instanceof SocketTimeoutException ? StoreError.TIMED_OUT : StoreError.BROKEN;
    }

    /**
     * Whether it is a sign that a server is not well. One that is full, or that refuses writes only, still rejects what is over
     * the limit; one whose slot moves, or that lacks a script, is well; and what it says of one key says nothing of others.
     */
    static boolean isIllness(StoreError error) {
        return switch (error) {
            case NOT_CONNECTED, TIMED_OUT, BROKEN, NOT_PERMITTED, BUSY, LOADING, READ_ONLY -> true;
            case POOL_EXHAUSTED, OUT_OF_MEMORY, REFUSES_WRITES, CLUSTER, OTHER -> false;
        };
    }

    /**
     * Whether it is the connection that was refused, so that another may do better: one that leads to what was a master, and is not
     * going to be one again, or that the server closes, since it has too many.
     */
    static boolean isOfConnection(StoreError refusal) {
        return refusal == StoreError.READ_ONLY || refusal == StoreError.POOL_EXHAUSTED;
    }

    /** Whether it only says that the script was not known. */
    static boolean isMissingScript(RuntimeException failed) {
        return failed instanceof JedisNoScriptException;
    }
}
