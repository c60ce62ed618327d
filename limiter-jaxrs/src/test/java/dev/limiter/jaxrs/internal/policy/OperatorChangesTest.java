package dev.limiter.jaxrs.internal.policy;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimited;
import dev.limiter.Tier;
import dev.limiter.jaxrs.LogLines;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.QuotaSource;
import dev.limiter.jaxrs.internal.declaration.PlanReader;
import dev.limiter.jaxrs.internal.quota.DirectQuotas;
import dev.limiter.jaxrs.internal.signals.RequestSignals;
import dev.limiter.spi.InvalidSettingException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.core.Application;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What operators change wins over configuration, and numbers of a partition over both. */
class OperatorChangesTest {
    private static final String LIMIT = "limiter.policy.buyer.limit";
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final PartitionKey BOB = PartitionKey.of("user", "bob");

    private final AtomicLong nanos = new AtomicLong();
    private final MapSettings settings = new MapSettings();
    private final LogLines log = new LogLines("dev.limiter.plan");
    private final PolicyRegistry policies =
            new PolicyRegistry(settings, Policy.DEFAULT_LEASE, nanos::get, () -> RequestSignals.NONE, true);

    interface Resource {
        @GET
        @RateLimited(
                name = "buyer",
                key = "{user}",
                algorithm = GCRA,
                limit = 5,
                window = "10s",
                tier = "{attribute:plan}",
                tiers = {@Tier(name = "gold", limit = 50), @Tier(name = "staff", unlimited = true)})
        @RateLimited(name = "count", key = "{ip}", algorithm = FIXED_WINDOW, limit = 5, window = "10s")
        void buy();
    }

    @AfterEach
    void closeLog() {
        log.close();
    }

    private ReloadablePolicy buyer() {
        List<String> problems = new ArrayList<>();
        new PlanReader(policies, Application.class)
                .read(Resource.class, Resource.class.getDeclaredMethods()[0], problems);
        assertThat(problems).isEmpty();
        return policies.named("buyer");
    }

    private static long limit(ReloadablePolicy policy) {
        return policy.version().policy().limit();
    }

    @Test
    void aChangeWinsOverConfigurationUntilItIsTakenBack() {
        settings.with(LIMIT, "7");
        ReloadablePolicy buyer = buyer();
        assertThat(limit(buyer)).isEqualTo(7);
        policies.operators().become(Map.of(LIMIT, "9"), Map.of());
        assertThat(limit(buyer)).isEqualTo(9);
        settings.with(LIMIT, "8");
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
        policies.readAgainWhenDue();
        assertThat(limit(buyer)).isEqualTo(9);
        policies.operators().become(Map.of(), Map.of());
        assertThat(limit(buyer)).isEqualTo(8);
    }

    @Test
    void anImpossibleChangeLeavesItsPolicyAsConfiguredAndOthersChange() {
        ReloadablePolicy buyer = buyer();
        policies.operators().become(Map.of(LIMIT, "0", "limiter.policy.count.limit", "6"), Map.of());
        assertThat(limit(buyer)).isEqualTo(5);
        assertThat(limit(policies.named("count"))).isEqualTo(6);
        assertThat(log.taken()).anyMatch(line -> line.contains("A change is not in force here: " + LIMIT));
    }

    @Test
    void aChangeIsCheckedBeforeItIsInForce() {
        PolicyDeclaration declaration = buyer().declaration();
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> policies.operators().with(Map.of(LIMIT, "0"), declaration))
                .withMessageContaining("must be at least 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policies.named("buyr"))
                .withMessageContaining("did you mean \"buyer\"?");
    }

    @Test
    void numbersOfAPartitionWinOverContractsAndTiers() {
        ReloadablePolicy buyer = buyer();
        give(ALICE, QuotaSource.Quota.of(8));
        for (String tier : new String[] {null, "gold", "staff"}) {
            EffectivePolicy declared = buyer.version().of(tier);
            assertThat(of(buyer, tier, ALICE).policy().limit()).isEqualTo(8);
            assertThat(of(buyer, tier, BOB)).isSameAs(declared);
        }
        assertThat(of(buyer, "staff", ALICE)).isSameAs(of(buyer, "gold", ALICE));
        policies.operators().become(Map.of(), Map.of());
        assertThat(of(buyer, "staff", null)).isNull();
        assertThat(of(buyer, "gold", ALICE).policy().limit()).isEqualTo(50);
        buyer.quotaFrom(DirectQuotas.bean(partition -> QuotaSource.Quota.of(9), () -> 0, 1));
        assertThat(of(buyer, "staff", ALICE).policy().limit()).isEqualTo(9);
        give(ALICE, QuotaSource.Quota.of(8));
        assertThat(of(buyer, "staff", ALICE).policy().limit()).isEqualTo(8);
    }

    private static EffectivePolicy of(ReloadablePolicy policy, String tier, PartitionKey key) {
        return policy.of(StatedByTest.of(tier, key));
    }

    @Test
    void aPolicyThatIsSwitchedOffCountsNobody() {
        ReloadablePolicy buyer = buyer();
        give(ALICE, QuotaSource.Quota.of(8));
        settings.with("limiter.policy.buyer.enabled", "false");
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
        policies.readAgainWhenDue();
        assertThat(of(buyer, null, ALICE)).isNull();
        assertThat(of(buyer, null, null)).as("no key is asked for").isNull();
    }

    @Test
    void numbersThatHaveBecomeImpossibleGiveWay() {
        ReloadablePolicy buyer = buyer();
        give(ALICE, QuotaSource.Quota.of(2_000_000));
        assertThat(of(buyer, null, ALICE).policy().limit()).isEqualTo(2_000_000);
        settings.with("limiter.policy.buyer.algorithm", "sliding_log");
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
        policies.readAgainWhenDue();
        assertThat(of(buyer, null, ALICE).policy().limit()).isEqualTo(5);
    }

    /** So that a raised limit lets through at once who had spent the lower one. */
    @Test
    void bucketsKeepTheirUnitsUnderAnotherLimit() {
        assertThat(buyer().version().policy().rules().keepsUnits()).isTrue();
    }

    private void give(PartitionKey partition, QuotaSource.Quota quota) {
        policies.operators().become(Map.of(), Map.of("buyer", key -> key.equals(partition) ? quota : null));
    }
}
