package dev.limiter.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.internal.algorithm.Concurrency;
import dev.limiter.internal.algorithm.FixedWindow;
import dev.limiter.internal.algorithm.StateSnapshot;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** A charge can be given back once, by any part of the receipt. */
class ReceiptTest {
    private static final Check ONE = check("one");
    private static final Check TWO = check("two");
    private static final StateSnapshot ROOM = new FixedWindow.Snapshot(true, 0, 1);
    private static final StateSnapshot SPENT = new FixedWindow.Snapshot(false, 5, 1);

    @Test
    void aPartSharesWhatHasBeenGivenBack() {
        Receipt whole = new Receipt(List.of(ONE, TWO), List.of(ROOM, ROOM), 7);
        Receipt part = whole.only(ONE.policy()::equals);
        assertThat(part.spend()).singleElement().satisfies(item -> {
            assertThat(item.check()).isEqualTo(ONE);
            assertThat(item.snapshot()).isEqualTo(ROOM);
            assertThat(item.atMicros()).isEqualTo(7);
        });
        assertThat(whole.unspent()).extracting(Receipt.Item::check).containsExactly(TWO);
        assertThat(whole.only(whole.unspent()).spend()).hasSize(1);
        assertThat(whole.spend()).isEmpty();
    }

    @Test
    void whatWasNotChargedIsNotInIt() {
        assertThat(Receipt.ofDecision(List.of(ONE, TWO), List.of(SPENT, ROOM), 7)
                        .checks())
                .containsExactly(TWO);
        Receipt mirror = Receipt.ofCharges(List.of(ONE, TWO), Arrays.asList(SPENT, null), 7);
        assertThat(mirror.checks()).containsExactly(ONE);
        assertThat(mirror.spend()).hasSize(1);
    }

    /** Two threads read the mirror at once. There is one item, which is given back once. */
    @Test
    void twoThreadsThatLookAtOnceSeeTheSame() throws Exception {
        CyclicBarrier bothLook = new CyclicBarrier(2);
        Receipt receipt = Receipt.ofCharges(List.of(ONE), List.of(ROOM), 7);
        CompletableFuture<List<Receipt.Item>> other = CompletableFuture.supplyAsync(() -> look(receipt, bothLook));
        List<Receipt.Item> mine = look(receipt, bothLook);
        assertThat(mine).hasSize(1);
        assertThat(mine.get(0)).isSameAs(other.get().get(0));
        assertThat(receipt.only(mine).spend()).hasSize(1);
        assertThat(receipt.spend()).isEmpty();
    }

    /**
     * A decision that came to nothing is given back. In the store the lease was held before, in
     * the mirror it was not.
     */
    @Test
    void aLeaseThatWasHeldBeforeWasNotTaken() {
        Check lease = Check.ofLease(Policy.concurrency("jobs", 5), PartitionKey.of("user", "alice"), "job");
        StateSnapshot held = new Concurrency.Snapshot(true, 3, true);
        StateSnapshot room = new Concurrency.Snapshot(true, 3, false);
        Receipt receipt = new Receipt(List.of(ONE, lease), List.of(ROOM, held), 7);
        receipt.attach(new Receipt(List.of(ONE, lease), List.of(ROOM, room), 8));
        Receipt taken = receipt.withoutRenewals();
        assertThat(taken.checks()).containsExactly(ONE);
        assertThat(taken.copy().checks()).containsExactly(ONE, lease);
        assertThat(taken.spend()).hasSize(1);
        assertThat(receipt.unspent()).extracting(Receipt.Item::check).containsExactly(lease);
        assertThat(new Receipt(List.of(lease), List.of(held), 7)
                        .withoutRenewals()
                        .copy())
                .isNull();
    }

    private static List<Receipt.Item> look(Receipt receipt, CyclicBarrier bothLook) {
        try {
            bothLook.await(1, TimeUnit.MINUTES);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException failed) {
            throw new IllegalStateException("the other thread waits", failed);
        }
        return receipt.unspent();
    }

    private static Check check(String policy) {
        return Check.of(
                Policy.of(policy, Algorithm.FIXED_WINDOW, 5, Duration.ofSeconds(1)), PartitionKey.of("user", "alice"));
    }
}
