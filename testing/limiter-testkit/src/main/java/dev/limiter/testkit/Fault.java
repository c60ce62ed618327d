package dev.limiter.testkit;

/** The fault of a {@link FaultProxy}: its effect on bytes. The delay is a setting of its own. */
enum Fault {
    /** Nothing. */
    NONE,

    /** Bytes of both directions are swallowed. */
    BLACK_HOLE,

    /** A connection is reset as soon as it is opened; those that were open go on. */
    RESET_NEW,

    /** Instead of a reply the client gets the end of the connection. */
    CLOSE_INSTEAD_OF_REPLY,

    /** Instead of a reply the client gets nothing. */
    SILENCE_INSTEAD_OF_REPLY
}
