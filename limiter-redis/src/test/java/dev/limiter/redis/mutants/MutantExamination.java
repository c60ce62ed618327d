package dev.limiter.redis.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.property.TestSize;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Runs an examination on the shipped code and on its mutants, and keeps the names of the mutants
 * that failed it.
 */
public final class MutantExamination {
    private static final int ALL = 100;

    private final Class<?> suite;
    private final List<String> killed = new ArrayList<>();

    /**
     * @param suite has a public static {@code Optional<String> failure(String uri, int percent)}:
     *     the first thing that is wrong on a Redis, with this part of its random cases
     */
    public MutantExamination(Class<?> suite) {
        this.suite = suite;
    }

    /**
     * All of them at full size. Below it some, in each run others; the names of the killed are
     * printed.
     */
    public static List<Mutant> some(List<Mutant> all) {
        List<Mutant> shuffled = new ArrayList<>(all);
        Collections.shuffle(shuffled);
        return shuffled.subList(0, Math.min(all.size(), TestSize.of(all.size())));
    }

    /** Below full size with a part of its random cases: other tests draw them, too. */
    public void passesWhatIsShipped() throws Exception {
        assertThat(failureOf(new Mutant("nothing", List.of()), Math.min(ALL, TestSize.of(ALL))))
                .isEmpty();
    }

    public void kills(Mutant mutant) throws Exception {
        Optional<String> failure = failureOf(mutant, ALL);
        assertThat(failure).as("\"%s\" survived", mutant).isPresent();
        killed.add(
                "  " + mutant.name() + ": " + failure.get().lines().findFirst().orElseThrow());
    }

    public void print() {
        System.out.println("\n" + killed.size() + " mutants killed:");
        killed.forEach(System.out::println);
    }

    /** Each on a Redis of its own, which a mutant may leave in any state. */
    private Optional<String> failureOf(Mutant mutant, int percent) throws Exception {
        Class<?> examination = new MutantLoader(mutant, suite.getPackageName()).loadClass(suite.getName());
        try (RedisServer redis = RedisServer.start()) {
            Object failure =
                    examination.getMethod("failure", String.class, int.class).invoke(null, redis.uri(), percent);
            return ((Optional<?>) failure).map(String.class::cast);
        }
    }
}
