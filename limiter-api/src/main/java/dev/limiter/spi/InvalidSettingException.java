package dev.limiter.spi;

/** A setting whose value cannot be used; the message begins with the setting's name. */
public final class InvalidSettingException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /**
     * An error in one setting.
     *
     * @param name the setting, such as {@code limiter.redis.uri}
     * @param problem the rule and the value that breaks it
     */
    public InvalidSettingException(String name, String problem) {
        super(name + ": " + problem);
    }
}
