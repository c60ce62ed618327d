package dev.limiter.servers.war;

/** Leaves a trace as soon as it is initialized. */
public final class Reached {
    static {
        System.setProperty("expression.reached", "yes");
    }

    private Reached() {}

    /** Something static. */
    public static String name() {
        return "reached";
    }
}
