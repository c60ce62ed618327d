package dev.limiter.redis.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.redis.FailureProofSuite;
import dev.limiter.redis.ProofSuite;
import dev.limiter.redis.QueueProofSuite;
import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.property.TestSize;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each defect is planted into the shipped code. The examination that passes without it must fail.
 * {@code mvn -Pproof verify} plants all of them, {@code mvn verify} a few.
 */
class MutantsTest {
    private static final List<String> KILLED = new ArrayList<>();

    @AfterAll
    static void print() {
        System.out.println("\n" + KILLED.size() + " mutants killed:");
        KILLED.forEach(System.out::println);
    }

    static List<Mutant> mutants() {
        return some(Stream.of(Mutants.ALL, Mutants.OF_SHARED_CALLS, Mutants.OF_GATES)
                .flatMap(List::stream)
                .toList());
    }

    /** All of them at full size. Below it some, in each run others; the names of the killed are printed. */
    private static List<Mutant> some(List<Mutant> all) {
        List<Mutant> shuffled = new ArrayList<>(all);
        Collections.shuffle(shuffled);
        return shuffled.subList(0, Math.min(all.size(), TestSize.of(all.size())));
    }

    @Test
    void whatIsShippedPasses() throws Exception {
        assertThat(examine(new Mutant("nothing", List.of()), ProofSuite.class)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void isKilled(Mutant mutant) throws Exception {
        kill(mutant, ProofSuite.class);
    }

    static List<Mutant> mutantsOfFailures() {
        return some(Mutants.OF_FAILURES);
    }

    @Test
    void whatIsShippedPassesWhenTheStoreFails() throws Exception {
        assertThat(examine(new Mutant("nothing", List.of()), FailureProofSuite.class))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("mutantsOfFailures")
    void isKilledWhenTheStoreFails(Mutant mutant) throws Exception {
        kill(mutant, FailureProofSuite.class);
    }

    static List<Mutant> mutantsOfQueues() {
        return some(QueueMutants.ALL);
    }

    @Test
    void whatIsShippedPassesAsQueues() throws Exception {
        assertThat(examine(new Mutant("nothing", List.of()), QueueProofSuite.class))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("mutantsOfQueues")
    void isKilledAsAQueue(Mutant mutant) throws Exception {
        kill(mutant, QueueProofSuite.class);
    }

    private static void kill(Mutant mutant, Class<?> by) throws Exception {
        Optional<String> failure = examine(mutant, by);
        assertThat(failure).as("\"%s\" survived", mutant).isPresent();
        KILLED.add(
                "  " + mutant.name() + ": " + failure.get().lines().findFirst().orElseThrow());
    }

    /** Each on a Redis of its own, which a mutant may leave in any state. */
    private static Optional<String> examine(Mutant mutant, Class<?> by) throws Exception {
        Class<?> examination = new MutantLoader(mutant).loadClass(by.getName());
        try (RedisServer redis = RedisServer.start()) {
            Object failure = examination.getMethod("failure", String.class).invoke(null, redis.uri());
            return ((Optional<?>) failure).map(String.class::cast);
        }
    }
}
