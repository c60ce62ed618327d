package dev.limiter.jaxrs.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.Stage;
import dev.limiter.StoreUnavailableException;
import dev.limiter.jaxrs.FailingStore;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.RateLimits;
import dev.limiter.jaxrs.internal.bootstrap.ApplicationRuntime;
import dev.limiter.jaxrs.internal.bootstrap.ServerContext;
import dev.limiter.jaxrs.internal.declaration.PlanReader;
import dev.limiter.jaxrs.internal.form.FakeRequest;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.spi.Ask;
import jakarta.ws.rs.core.Application;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Settlements of 30, 15 and 5 units while the store fails. Responses of 5xx do not count, and
 * must not give back what was used.
 */
class SettlementFailureTest {
    private static final PartitionKey ALL = PartitionKey.of("literal", "all");
    private static final Policy TOKENS = Policy.of("tokens", Algorithm.SLIDING_LOG, 100, Duration.ofHours(1));

    private final ApplicationRuntime runtime =
            new ApplicationRuntime(new MapSettings(), ServerContext.ofServlets("", () -> {}));
    private final RateLimiter limiter = runtime.limiter();
    private final Store store = new Store(limiter);
    private final RequestState state = begun();
    private final RateLimits limits = state.limits();

    /** A store that may fail, or execute a call and not answer it. */
    private static final class Store extends FailingStore {
        boolean answers = true;
        int refunds;

        Store(RateLimiter limiter) {
            super(limiter);
        }

        @Override
        public <A> A answer(Ask<A> ask) {
            refunds += ask instanceof Ask.GiveBack ? 1 : 0;
            A answer = super.answer(ask);
            return ask instanceof Ask.GiveBack || ask instanceof Ask.Charge ? answered(answer) : answer;
        }

        private <T> T answered(T result) {
            if (!answers) {
                throw new StoreUnavailableException("the store does not answer", null);
            }
            return result;
        }
    }

    @BeforeEach
    void acquire() {
        limits.reserve("tokens", 30);
        limits.reserve("tokens", 15);
        limits.reserve("tokens", 5);
    }

    @AfterEach
    void close() {
        runtime.close();
        limiter.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 10, 35, 49, 60})
    void aStoreThatFailsKeepsTheEstimatesWhateverTheStatus(long used) {
        store.fails = true;
        assertUnheard(used);
        store.fails = false;
        end(503);
        assertThat(spent()).isEqualTo(50);
    }

    @ParameterizedTest
    @ValueSource(longs = {10, 60})
    void aStoreThatExecutesAndDoesNotAnswerIsToldOnce(long used) {
        store.answers = false;
        settle(used);
        store.answers = true;
        limits.settle("tokens", used);
        end(503);
        assertThat(spent()).isEqualTo(used);
    }

    @Test
    void theMethodMayChargeWhatItDoesNotWantToLose() {
        store.fails = true;
        assertUnheard(60);
        store.fails = false;
        limits.charge("tokens", 10);
        end(503);
        assertThat(spent()).isEqualTo(60);
    }

    @Test
    void whatWasNotUsedComesBackInOneCall() {
        limits.settle("tokens", 10);
        assertThat(spent()).isEqualTo(10);
        assertThat(store.refunds).isEqualTo(1);
    }

    /** What the method has acquired is known. What it has not is asked of the store. */
    @Test
    void whatIsLeftBeforeTheMethodAcquiresIsAskedOfTheStore() {
        assertThat(limits.used("images")).isZero();
        store.fails = true;
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> limits.used("images"));
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> limits.remaining("images"));
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> limits.isExceeded("images"));
        assertThat(limits.used("tokens")).isEqualTo(50);
    }

    private void assertUnheard(long used) {
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> limits.settle("tokens", used));
    }

    /** The answer to a refund is of no interest; that to a charge is. */
    private void settle(long used) {
        if (used < 50) {
            limits.settle("tokens", used);
        } else {
            assertUnheard(used);
        }
    }

    private RequestState begun() {
        RequestServices inside = runtime.requests();
        RequestState begun =
                MethodUnitsTest.asking(inside, new Lazy<>(() -> store), limiter).begin(true);
        List<String> problems = new ArrayList<>();
        inside.evaluator()
                .decide(
                        begun,
                        new PlanReader(runtime.policies(), Application.class)
                                .read(
                                        MethodUnitsTest.Resource.class,
                                        MethodUnitsTest.Resource.class.getDeclaredMethods()[0],
                                        problems)
                                .at(Stage.AFTER_AUTHENTICATION),
                        new FakeRequest());
        assertThat(problems).isEmpty();
        return begun;
    }

    private void end(int status) {
        state.respondsWith(status);
        state.finished();
        state.ended(status);
    }

    private long spent() {
        return TOKENS.capacity() - limiter.peek(TOKENS, ALL).remaining();
    }
}
