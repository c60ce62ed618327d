package dev.limiter.redis.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.internal.algorithm.StateKind;
import dev.limiter.redis.FailureProofSuite;
import dev.limiter.redis.ProofSuite;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each defect is planted into the shipped code. The examination that passes without it must
 * fail. {@code mvn -Pproof verify} plants all of them, {@code mvn verify} a few.
 */
@Tag("proof")
class MutantsTest {
    private static final MutantExamination DECISIONS = new MutantExamination(ProofSuite.class);
    private static final MutantExamination FAILURES = new MutantExamination(FailureProofSuite.class);

    @AfterAll
    static void print() {
        DECISIONS.print();
        FAILURES.print();
    }

    static List<Mutant> mutants() {
        return MutantExamination.some(all().toList());
    }

    private static Stream<Mutant> all() {
        return Stream.of(
                        Mutants.ALL,
                        Mutants.OF_SHARED_CALLS,
                        Mutants.OF_GATES,
                        Mutants.OF_SETTLEMENTS,
                        Mutants.OF_KEPT_PERIODS)
                .flatMap(List::stream);
    }

    /** Otherwise no test would show that the examination covers it. */
    @Test
    void eachAlgorithmHasAMutant() {
        assertThat(all().flatMap(mutant -> mutant.edits().stream()).map(Mutant.Edit::file))
                .containsAll(Stream.of(StateKind.values())
                        .map(kind -> "lua/algorithm/" + kind.title() + ".lua")
                        .toList());
    }

    /** A small run plants a few. Of the others it would not notice that their place has changed. */
    @Test
    void eachFindsItsPlace() throws IOException {
        for (Mutant mutant : Stream.concat(all(), Mutants.OF_FAILURES.stream()).toList()) {
            assertThat(mutant.texts()).as(mutant.name()).isNotEmpty();
        }
    }

    @Test
    void whatIsShippedPasses() throws Exception {
        DECISIONS.passesWhatIsShipped();
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void isKilled(Mutant mutant) throws Exception {
        DECISIONS.kills(mutant);
    }

    static List<Mutant> mutantsOfFailures() {
        return MutantExamination.some(Mutants.OF_FAILURES);
    }

    @Test
    void whatIsShippedPassesWhenTheStoreFails() throws Exception {
        FAILURES.passesWhatIsShipped();
    }

    @ParameterizedTest
    @MethodSource("mutantsOfFailures")
    void isKilledWhenTheStoreFails(Mutant mutant) throws Exception {
        FAILURES.kills(mutant);
    }
}
