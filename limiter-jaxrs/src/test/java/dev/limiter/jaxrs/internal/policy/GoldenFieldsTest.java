package dev.limiter.jaxrs.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.Refill;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.internal.request.BoundLimit;
import dev.limiter.jaxrs.internal.request.RequestDecision;
import dev.limiter.jaxrs.internal.response.ProblemDetails;
import dev.limiter.jaxrs.internal.response.PublishedResult;
import dev.limiter.jaxrs.internal.response.RateLimitHeaders;
import dev.limiter.jaxrs.internal.response.RetryAfterHeader;
import dev.limiter.local.LocalRateLimiter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each dialect's header lines and bodies for the same situations, word for word. Clients parse
 * them: a dialect whose lines change needs another name.
 */
class GoldenFieldsTest {
    private static final Duration TEN = Duration.ofSeconds(10);
    private static final Set<String> UNPUBLISHED = Set.of("hidden");
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final Policy BUYER =
            Policy.of("buyer", Algorithm.TOKEN_BUCKET, 5, TEN).withBurst(10);
    private static final Policy API =
            Policy.of("api", Algorithm.GCRA, 600, Duration.ofMinutes(1)).withBurst(50);
    private static final Policy COUNTER =
            Policy.of("counter", Algorithm.FIXED_WINDOW, 5, TEN).alignedToTheClock();

    /** After so many requests of a cost, and some time later, one more request. */
    private record Situation(String title, List<Policy> policies, int before, long cost, Duration later) {}

    private static List<Situation> situations() {
        List<Situation> situations = new ArrayList<>();
        for (Policy policy : List.of(
                COUNTER,
                Policy.of("window", Algorithm.SLIDING_WINDOW, 5, TEN).alignedToTheClock(),
                Policy.of("log", Algorithm.SLIDING_LOG, 5, TEN),
                BUYER,
                BUYER.withRefill(Refill.INTERVAL),
                BUYER.borrowing(),
                API,
                Policy.of("gate", Algorithm.UNIFORM, 1, TEN),
                Policy.leakyBucket("queue", 5, TEN, Duration.ofSeconds(4)),
                Policy.concurrency("in flight", 2))) {
            String kind = PolicyText.of(policy);
            situations.add(new Situation(kind + ", the first request", List.of(policy), 0, 1, Duration.ZERO));
            situations.add(
                    new Situation(kind + ", a second, 3.5 s later", List.of(policy), 1, 1, Duration.ofMillis(3_500)));
            situations.add(
                    new Situation(kind + ", one too many", List.of(policy), (int) policy.capacity(), 1, Duration.ZERO));
        }
        Duration half = Duration.ofMillis(500);
        Policy shortWindow = Policy.of("short", Algorithm.SLIDING_LOG, 5, half);
        Policy hidden = Policy.of("hidden", Algorithm.GCRA, 1, TEN);
        situations.add(new Situation("half a second", List.of(shortWindow), 2, 1, Duration.ZERO));
        situations.add(new Situation("a cost of 3", List.of(BUYER), 1, 3, Duration.ZERO));
        situations.add(new Situation("two policies", List.of(BUYER, API), 0, 1, Duration.ZERO));
        situations.add(new Situation("two policies, one rejects", List.of(COUNTER, API), 5, 1, Duration.ZERO));
        situations.add(new Situation("with a shadow", List.of(API, BUYER.asShadow()), 0, 1, Duration.ZERO));
        situations.add(new Situation("only a shadow", List.of(BUYER.asShadow()), 0, 1, Duration.ZERO));
        situations.add(new Situation("with an unpublished one", List.of(hidden, API), 0, 1, Duration.ZERO));
        situations.add(new Situation("an unpublished one rejects", List.of(hidden, API), 1, 1, Duration.ZERO));
        situations.add(new Situation("only an unpublished one", List.of(hidden), 0, 1, Duration.ZERO));
        situations.add(new Situation(
                "a name of punctuation",
                List.of(Policy.of("a/b;c='d', {e}", Algorithm.GCRA, 1, TEN)),
                0,
                1,
                Duration.ZERO));
        return situations;
    }

    @ParameterizedTest
    @ValueSource(strings = {"draft-11,none", "none,legacy", "none, none"})
    void noneStandsAlone(String dialects) {
        MapSettings settings = new MapSettings().with("limiter.headers", dialects);
        assertThatThrownBy(() -> RateLimitHeaders.SETTING.in(settings))
                .hasMessage("limiter.headers: \"none\" must be the only value, was \"" + dialects + '"');
    }

    @ParameterizedTest
    @ValueSource(strings = {"draft-11", "legacy", "none"})
    void theLinesAreAsTheyWere(String dialect) throws IOException {
        MapSettings settings = new MapSettings().with("limiter.headers", dialect);
        RateLimitHeaders fields = RateLimitHeaders.SETTING.in(settings);
        List<String> lines = new ArrayList<>();
        situations().forEach(situation -> lines.addAll(lines(situation, fields)));
        lines.add("# the store is away");
        lines.add(ProblemDetails.unavailable(fields.haveProblemTypes()).json());
        assertThat(lines)
                .as("what is written now, beside golden/%s.txt:%n%s", dialect, String.join("\n", lines))
                .containsExactlyElementsOf(golden(dialect));
    }

    private static List<String> golden(String dialect) throws IOException {
        try (InputStream file =
                GoldenFieldsTest.class.getResourceAsStream("/dev/limiter/jaxrs/golden/" + dialect + ".txt")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    private static List<String> lines(Situation situation, RateLimitHeaders fields) {
        List<String> lines = new ArrayList<>();
        Decision decision = decision(situation);
        String outcome = decision instanceof Decision.Rejected rejected
                ? "rejected, Retry-After: " + RetryAfterHeader.EXACT.seconds(rejected)
                : "admitted";
        lines.add("# " + situation.title() + ": " + outcome);
        Map<String, PublishedResult> published = new LinkedHashMap<>();
        asked(situation, decision).publishTo(published);
        if (!published.isEmpty()) {
            fields.write(List.copyOf(published.values()), (name, value) -> lines.add(name + ": " + value));
        }
        if (decision instanceof Decision.Rejected rejected) {
            lines.add(ProblemDetails.rejected(
                            rejected,
                            RetryAfterHeader.EXACT.seconds(rejected),
                            name -> !UNPUBLISHED.contains(name),
                            fields.haveProblemTypes())
                    .json());
        }
        lines.add("");
        return lines;
    }

    private static Decision decision(Situation situation) {
        Instant[] now = {Instant.ofEpochSecond(1_700_000_000)};
        InstantSource clock = () -> now[0];
        LocalRateLimiter limiter = new LocalRateLimiter(clock);
        for (int i = 0; i < situation.before(); i++) {
            limiter.acquire(group(situation));
        }
        now[0] = now[0].plus(situation.later());
        return limiter.acquire(group(situation));
    }

    private static CheckGroup group(Situation situation) {
        return new CheckGroup(situation.policies().stream()
                .map(policy -> new Check(policy, ALICE, situation.cost()))
                .collect(Collectors.toList()));
    }

    private static RequestDecision asked(Situation situation, Decision decision) {
        return new RequestDecision(
                situation.policies().stream()
                        .map(policy -> new BoundLimit(
                                limit(policy),
                                null,
                                EffectivePolicy.of(policy, !UNPUBLISHED.contains(policy.name())),
                                new Check(policy, ALICE, situation.cost())))
                        .toList(),
                decision);
    }

    private static Limit limit(Policy policy) {
        PolicyDeclaration declaration =
                new PolicyDeclaration(policy.members(), DeclaredWindow.of(policy.window()), Map.of(), false);
        return Limit.of(new ReloadablePolicy(declaration, PolicyVersion.of(declaration, true, true, List.of())));
    }
}
