package dev.limiter.redis;

import dev.limiter.model.Kind;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** All other kinds: windows, logs, leases and gates. */
@Tag("store")
class CountersProofTest extends ModelProof {

    static List<Kind> kinds() {
        return Kind.all().stream()
                .filter(kind -> !BucketsProofTest.BUCKETS.contains(kind.algorithm()))
                .toList();
    }
}
