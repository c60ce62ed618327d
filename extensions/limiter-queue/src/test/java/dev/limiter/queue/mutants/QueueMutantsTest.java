package dev.limiter.queue.mutants;

import dev.limiter.queue.QueueProofSuite;
import dev.limiter.redis.mutants.Mutant;
import dev.limiter.redis.mutants.MutantExamination;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each defect is planted into the shipped queues. The examination that passes without it must
 * fail.
 */
@Tag("proof")
class QueueMutantsTest {
    private static final MutantExamination QUEUES = new MutantExamination(QueueProofSuite.class);

    @AfterAll
    static void print() {
        QUEUES.print();
    }

    static List<Mutant> mutants() {
        return MutantExamination.some(QueueMutants.ALL);
    }

    @Test
    void whatIsShippedPasses() throws Exception {
        QUEUES.passesWhatIsShipped();
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void isKilled(Mutant mutant) throws Exception {
        QUEUES.kills(mutant);
    }
}
