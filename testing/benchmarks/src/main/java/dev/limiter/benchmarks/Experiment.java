package dev.limiter.benchmarks;

import java.util.List;

/** The measurements of a JVM of its own, which ends with the process that started it. */
enum Experiment {
    ONE_CORE {
        @Override
        void run(Mode mode, Crew crew, Output output) {
            new OneCore(mode, output).run();
        }
    },
    MANY_KEYS {
        @Override
        void run(Mode mode, Crew crew, Output output) {
            new ManyCallers(mode, crew, output).manyKeys();
        }
    },
    HOT_KEY {
        @Override
        void run(Mode mode, Crew crew, Output output) {
            new ManyCallers(mode, crew, output).hotKey();
        }
    },
    ALONE {
        @Override
        void run(Mode mode, Crew crew, Output output) {
            new ManyCallers(mode, crew, output).alone();
        }
    },
    MEMORY {
        @Override
        void run(Mode mode, Crew crew, Output output) {
            new Memory(mode, output).run();
        }
    };

    abstract void run(Mode mode, Crew crew, Output output);

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
