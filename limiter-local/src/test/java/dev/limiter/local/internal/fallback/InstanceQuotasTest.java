package dev.limiter.local.internal.fallback;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.OnStoreFailure;
import dev.limiter.Policy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class InstanceQuotasTest {
    private final InstanceQuotas quotas = new InstanceQuotas(OnStoreFailure.LOCAL, 2);

    /** Quotas that contracts had earlier do not keep out those that they have now. */
    @Test
    void quotasAreKeptAfterTenThousandOthers() {
        for (int limit = 1; limit <= InstanceQuotas.MAX_KEPT; limit++) {
            quotas.of(plan(limit));
        }
        InstanceQuota known = quotas.of(plan(1));
        assertThat(known).isSameAs(quotas.of(plan(1)));
        Policy more = plan(InstanceQuotas.MAX_KEPT + 1);
        assertThat(quotas.of(more)).isSameAs(quotas.of(more));
        assertThat(quotas.of(plan(1))).isNotSameAs(known).isSameAs(quotas.of(plan(1)));
    }

    /** The recovery belongs to the name, which a quota that is made again shares. */
    @Test
    void recoveryOutlivesTheQuota() {
        quotas.admittedAlone(quotas.of(plan(1)), 0, 0);
        for (int limit = 2; limit <= InstanceQuotas.MAX_KEPT + 1; limit++) {
            quotas.of(plan(limit));
        }
        assertThat(quotas.of(plan(1)).bothMustAdmit(1)).isTrue();
    }

    /** The mirror's bucket keeps the units in use of another limit, as the store's does. */
    @Test
    void aQuotaOfALimitThatVariesVaries() {
        Policy bucket = Policy.of("plan", Algorithm.GCRA, 10, Duration.ofSeconds(10));
        assertThat(quotas.of(bucket).own().rules().keepsUnits()).isFalse();
        assertThat(quotas.of(bucket.withVaryingLimit()).own().rules().keepsUnits())
                .isTrue();
    }

    private static Policy plan(long limit) {
        return Policy.of("plan", Algorithm.FIXED_WINDOW, limit, Duration.ofSeconds(10));
    }
}
