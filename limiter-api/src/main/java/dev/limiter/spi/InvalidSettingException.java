package dev.limiter.spi;

/** A setting has a value that cannot be used. The message begins with the setting's name. */
public final class InvalidSettingException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes an exception for one setting.
     *
     * @param name the setting, such as {@code limiter.redis.uri}
     * @param problem the rule and the value that breaks it
     */
    public InvalidSettingException(String name, String problem) {
        super(name + ": " + problem);
    }
}
