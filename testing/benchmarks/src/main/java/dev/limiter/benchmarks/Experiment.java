package dev.limiter.benchmarks;

import java.util.List;

/** The measurements of a JVM of its own, which ends with the process that started it. */
enum Experiment {
    ONE_CORE,
    MANY_KEYS,
    HOT_KEY,
    ALONE,
    MEMORY;

    private void run(Mode mode, Crew crew, Output output) {
        switch (this) {
            case ONE_CORE -> new OneCore(mode, output).run();
            case MANY_KEYS -> new ManyCallers(mode, crew, output).manyKeys();
            case HOT_KEY -> new ManyCallers(mode, crew, output).hotKey();
            case ALONE -> new ManyCallers(mode, crew, output).alone();
            case MEMORY -> new Memory(mode, output).run();
        }
    }

    List<String> arguments(Mode mode, Crew crew) {
        return List.of(name(), mode.name(), crew.name());
    }

    /** With the arguments of {@link #arguments}. */
    public static void main(String[] arguments) {
        Parent.endWithIt();
        int status = 1;
        try {
            valueOf(arguments[0])
                    .run(Mode.valueOf(arguments[1]), Crew.valueOf(arguments[2]), new Output(System.out::println));
            status = 0;
        } catch (RuntimeException failed) {
            failed.printStackTrace();
        } finally {
            // Peers leave threads behind.
            System.exit(status);
        }
    }
}
