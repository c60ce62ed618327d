package dev.limiter;

/**
 * The store that holds the counts gave no decision; the request was neither admitted nor rejected.
 *
 * <p>It is thrown without a stack trace of its own, since there may be thousands a second while the store is away: its cause has one where
 * somebody was asked.
 */
public final class StoreUnavailableException extends NotAdmittedException {
    private static final long serialVersionUID = 1L;

    /**
     * Of a failure.
     *
     * @param message which store, and what it did instead of answering
     * @param cause what the store's client threw
     */
    public StoreUnavailableException(String message, Throwable cause) {
        super(message, cause, false);
    }
}
