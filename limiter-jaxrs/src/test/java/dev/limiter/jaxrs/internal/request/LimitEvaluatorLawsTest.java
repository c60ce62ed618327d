package dev.limiter.jaxrs.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.CheckGroup;
import dev.limiter.Enforcement;
import dev.limiter.PartitionKey;
import dev.limiter.RateLimiter;
import dev.limiter.Stage;
import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.internal.algorithm.PolicyMembers;
import dev.limiter.jaxrs.FailingStore;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.internal.bootstrap.ApplicationRuntime;
import dev.limiter.jaxrs.internal.bootstrap.ServerContext;
import dev.limiter.jaxrs.internal.form.FakeRequest;
import dev.limiter.jaxrs.internal.form.UnreadableFormException;
import dev.limiter.jaxrs.internal.key.CostExpression;
import dev.limiter.jaxrs.internal.key.KeyExpression;
import dev.limiter.jaxrs.internal.key.StatusSet;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.jaxrs.internal.policy.DeclaredWindow;
import dev.limiter.jaxrs.internal.policy.Limit;
import dev.limiter.jaxrs.internal.policy.PolicyDeclaration;
import dev.limiter.jaxrs.internal.policy.PolicyVersion;
import dev.limiter.jaxrs.internal.policy.ReloadablePolicy;
import dev.limiter.spi.Ask;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Property;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The checks of a request with several limits: each limit has its own members, key and cost. */
@Tag("proof")
class LimitEvaluatorLawsTest {
    private static final UnreadableFormException UNREADABLE = UnreadableFormException.malformed("twice");

    private final ApplicationRuntime runtime =
            new ApplicationRuntime(new MapSettings(), ServerContext.ofServlets("", () -> {}));
    private final Store store = new Store(runtime.limiter());
    private final LimitEvaluator evaluator = new LimitEvaluator(
            runtime.policies(),
            runtime.requests().evaluator().exempt(),
            new Lazy<>(() -> store),
            runtime.requests().evaluator().slots(),
            runtime.requests().evaluator().signals());

    /** Notes what it is asked. */
    private static final class Store extends FailingStore {
        CheckGroup asked;

        Store(RateLimiter limiter) {
            super(limiter);
        }

        @Override
        public <A> A answer(Ask<A> ask) {
            asked = ((Ask.Acquire) ask).group();
            return super.answer(ask);
        }
    }

    @AfterEach
    void close() {
        runtime.close();
        store.close();
    }

    /** One limit of a request, as it is declared. */
    private record Declared(
            String name, String key, String cost, boolean tiers, boolean enabled, boolean shadow, boolean refundable) {
        static Declared draw(Dice dice, int number) {
            return new Declared(
                    "p" + number,
                    dice.oneOf("user", "ip", "header:X", "form:f"),
                    dice.oneOf("1", "3", "{query:size|'2'}"),
                    dice.chance(40),
                    dice.chance(85),
                    dice.chance(25),
                    dice.chance(30));
        }

        Limit limit() {
            PolicyDeclaration declaration = new PolicyDeclaration(
                    PolicyMembers.of(name, Algorithm.SLIDING_LOG, 10)
                            .with(PolicyMember.ENFORCEMENT, shadow ? Enforcement.SHADOW : Enforcement.ENFORCED),
                    DeclaredWindow.of(Duration.ofHours(1)),
                    tiers
                            ? Map.of(
                                    "gold", new PolicyDeclaration.TierDeclaration(20, 0, false),
                                    "staff", new PolicyDeclaration.TierDeclaration(0, 0, true))
                            : Map.of(),
                    false);
            ReloadablePolicy policy =
                    new ReloadablePolicy(declaration, PolicyVersion.of(declaration, enabled, true, List.of()));
            if (refundable) {
                policy.becomeRefundable();
            }
            return new Limit(
                    policy,
                    KeyExpression.compile('{' + key + '}'),
                    CostExpression.compile(cost),
                    tiers ? KeyExpression.single("{attribute:plan}", "{claim:plan}") : null,
                    StatusSet.ALL,
                    Stage.AFTER_AUTHENTICATION);
        }
    }

    /** Limits, and a request. */
    private record Case(List<Declared> limits, String plan, String size, boolean readable) {
        static Case draw(Dice dice) {
            int[] number = {0};
            return new Case(
                    dice.list(1, 6, each -> Declared.draw(each, number[0]++)),
                    dice.oneOf("", "gold", "staff", "silver"),
                    dice.oneOf("", "1", "7", "99"),
                    dice.chance(75));
        }

        FakeRequest request() {
            return new FakeRequest()
                    .with("user", "alice")
                    .with("ip", "192.0.2.7")
                    .with("header:X", "x")
                    .with("form:f", readable ? "field" : UNREADABLE)
                    .with("attribute:plan", plan)
                    .with("query:size", size);
        }

        boolean counts(Declared limit) {
            boolean spared = !limit.enabled() || limit.tiers() && plan.equals("staff");
            return !spared && !(isUnreadable(limit) && limit.shadow());
        }

        boolean isUnreadable(Declared limit) {
            return limit.key().equals("form:f") && !readable;
        }

        boolean isRefused() {
            return limits.stream().anyMatch(limit -> counts(limit) && isUnreadable(limit));
        }

        long units(Declared limit) {
            long most = limit.tiers() && plan.equals("gold") ? 20 : 10;
            long asked = limit.cost().startsWith("{")
                    ? Long.parseLong(size.isEmpty() ? "2" : size)
                    : Long.parseLong(limit.cost());
            return Math.min(asked, most);
        }
    }

    @Test
    void eachLimitIsAskedWithItsOwnNumbersKeyAndCost() {
        Property.forAll(Case::draw).tries(20_000).check(drawn -> {
            List<Limit> limits = drawn.limits().stream().map(Declared::limit).toList();
            FakeRequest request = drawn.request();
            if (drawn.isRefused()) {
                assertThatExceptionOfType(UnreadableFormException.class).isThrownBy(() -> decide(limits, request));
                assertThat(store.asked).isNull();
                return;
            }
            List<Declared> counted =
                    drawn.limits().stream().filter(drawn::counts).toList();
            decide(limits, request);
            if (counted.isEmpty()) {
                assertThat(store.asked).isNull();
                return;
            }
            assertThat(store.asked.checks().stream()
                            .map(check -> check.policy().name() + " "
                                    + check.policy().limit() + " " + check.key() + " " + check.cost())
                            .toList())
                    .isEqualTo(counted.stream()
                            .map(limit -> limit.name() + " "
                                    + (limit.tiers() && drawn.plan().equals("gold") ? 20 : 10) + " "
                                    + PartitionKey.of(limit.key(), value(limit.key())) + " " + drawn.units(limit))
                            .toList());
            assertThat(store.asked.refundable()).isEqualTo(counted.stream().anyMatch(Declared::refundable));
        });
    }

    private void decide(List<Limit> limits, FakeRequest request) {
        store.asked = null;
        evaluator.decide(runtime.requests().begin(true), limits, request);
    }

    private static String value(String key) {
        return switch (key) {
            case "user" -> "alice";
            case "ip" -> "192.0.2.7";
            case "header:X" -> "x";
            default -> "field";
        };
    }
}
