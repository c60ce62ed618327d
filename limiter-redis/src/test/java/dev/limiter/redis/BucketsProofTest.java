package dev.limiter.redis;

import dev.limiter.Algorithm;
import dev.limiter.model.Kind;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;

/** The kinds whose state is an instant or tokens. */
@Tag("store")
class BucketsProofTest extends ModelProof {
    static final Set<Algorithm> BUCKETS =
            EnumSet.of(Algorithm.TOKEN_BUCKET, Algorithm.GCRA, Algorithm.UNIFORM, Algorithm.LEAKY_BUCKET);

    static List<Kind> kinds() {
        return Kind.all().stream()
                .filter(kind -> BUCKETS.contains(kind.algorithm()))
                .toList();
    }
}
