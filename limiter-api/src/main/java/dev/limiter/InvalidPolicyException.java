package dev.limiter;

/** A policy breaks a rule. The message names the value and the rule. */
public final class InvalidPolicyException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** Serialized with the exception. */
    private final String member;

    /**
     * Makes an exception for one member.
     *
     * @param member the member of the policy that has to change, such as {@code limit}
     * @param message the rule and the value that breaks it
     */
    public InvalidPolicyException(String member, String message) {
        super(message);
        this.member = member;
    }

    /**
     * {@return the member of the policy that has to change, such as {@code limit} or
     * {@code window}}
     */
    public String member() {
        return member;
    }
}
