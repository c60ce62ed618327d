package dev.limiter.spi;

/** Why a call of the store failed, in the kinds that an operator needs. */
public enum StoreError {
    /** All connections were in use for too long. */
    POOL_EXHAUSTED,

    /**
     * No connection could be opened: refused, unreachable, too late, too many clients, or no server
     * is known.
     */
    NOT_CONNECTED,

    /** The answer did not come in time. */
    TIMED_OUT,

    /** The connection broke before the answer came. */
    BROKEN,

    /** The password or the permissions of the user do not suffice. */
    NOT_PERMITTED,

    /** Another script keeps the server busy. */
    BUSY,

    /** The server is starting, and reads its data. */
    LOADING,

    /** The server is a replica, as a master is after it was demoted. */
    READ_ONLY,

    /** The server has reached its {@code maxmemory}. */
    OUT_OF_MEMORY,

    /** The server refuses to write: it cannot save its data, or has too few replicas. */
    REFUSES_WRITES,

    /** The cluster is down, or moves the slot, or sends callers from node to node. */
    CLUSTER,

    /** Anything else, such as a malformed reply. */
    OTHER
}
