package dev.limiter.spi;

/** Why a call of the store failed, as an operator needs to know. */
public enum StoreError {
    /** All connections were in use for too long. */
    POOL_EXHAUSTED,

    /**
     * No connection could be opened: it was refused, unreachable or too late, there were too many
     * clients, or no server is known.
     */
    NOT_CONNECTED,

    /** The answer did not come in time. */
    TIMED_OUT,

    /** The connection broke before the answer came. */
    BROKEN,

    /** The password is wrong, or the user lacks a permission. */
    NOT_PERMITTED,

    /** Another script keeps the server busy. */
    BUSY,

    /** The server is starting and still reads its data. */
    LOADING,

    /** The server is a replica, as a master is after it was demoted. */
    READ_ONLY,

    /** The server has reached its {@code maxmemory}. */
    OUT_OF_MEMORY,

    /** The server refuses to write: it cannot save its data, or has too few replicas. */
    REFUSES_WRITES,

    /** The cluster is down, moves the slot, or sends callers from node to node. */
    CLUSTER,

    /** Anything else, such as a malformed reply. */
    OTHER
}
