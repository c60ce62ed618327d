package dev.limiter.redis;

import dev.limiter.model.Kind;
import java.util.List;

/** All other kinds: windows, logs, leases and gates. */
class CountersProofTest extends ModelProof {

    static List<Kind> kinds() {
        return Kind.all().stream()
                .filter(kind -> !BucketsProofTest.BUCKETS.contains(kind.algorithm()))
                .toList();
    }
}
