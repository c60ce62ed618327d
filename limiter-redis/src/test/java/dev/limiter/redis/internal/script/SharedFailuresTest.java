package dev.limiter.redis.internal.script;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.redis.internal.combine.RedisErrors;
import dev.limiter.spi.StoreError;
import dev.limiter.testkit.RedisServer;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisDataException;

/** Callers share a call. A refusal of one of them does not affect the others. */
class SharedFailuresTest {
    private static final Policy FEW = Policy.of("few", GCRA, 2, Duration.ofSeconds(10));
    private static final Policy LOG = Policy.of("log", SLIDING_LOG, 5, Duration.ofSeconds(10));
    private static final Policy WINDOW = Policy.of("window", FIXED_WINDOW, 5, Duration.ofHours(1));

    private final PreparedPolicies policies = new PreparedPolicies(new RedisKeys("failures", ""));

    @AutoClose
    private final RedisServer redis = RedisServer.start();

    @AutoClose
    private final RedisClient jedis = RedisClient.create(redis.uri());

    private VirtualTime time = new VirtualTime(jedis);

    private static Check by(Policy policy, String user) {
        return Check.of(policy, PartitionKey.of("user", user));
    }

    private DecisionCall asking(Check... checks) {
        return DecisionCall.decide(policies, CheckGroup.of(checks));
    }

    private String key(Policy policy, String user) {
        return time.limiter("failures").storeKey(policy, PartitionKey.of("user", user));
    }

    /** "admitted", "rejected" or the kind of the error, of each. */
    private List<String> told(List<DecisionCall> questions) {
        List<Reply> replies = time.ask(questions);
        List<String> told = new ArrayList<>();
        for (int i = 0; i < replies.size(); i++) {
            JedisDataException refusal = replies.get(i).refusal();
            told.add(
                    refusal != null
                            ? RedisErrors.of(refusal).name()
                            : questions.get(i).decisions(replies.get(i)).stream()
                                            .map(Optional::orElseThrow)
                                            .allMatch(Decision::admitted)
                                    ? "admitted"
                                    : "rejected");
        }
        return told;
    }

    @ParameterizedTest
    @EnumSource
    void aPoisonedKeyHitsItsOwnCallersOnly(Algorithm algorithm) {
        Policy policy = algorithm == Algorithm.LEAKY_BUCKET
                ? Policy.leakyBucket("p", 5, Duration.ofSeconds(10), Duration.ofSeconds(5))
                : Policy.of("p", algorithm, algorithm == Algorithm.GATE ? 1 : 5, Duration.ofSeconds(10));
        jedis.hset(key(policy, "poisoned"), "f", "v");
        List<DecisionCall> questions = List.of(
                asking(by(policy, "before")),
                asking(by(policy, "poisoned")),
                asking(by(LOG, "pair"), by(policy, "poisoned")),
                DecisionCall.peek(policies, CheckGroup.of(by(WINDOW, "pair"), by(policy, "poisoned"))),
                asking(by(policy, "after")),
                asking(by(policy, "afterwards"), by(FEW, "after")),
                asking(by(policy, "poisoned")),
                DecisionCall.decideEach(
                        policies, List.of(CheckGroup.of(by(FEW, "last")), CheckGroup.of(by(policy, "poisoned")))),
                asking(by(FEW, "last")),
                asking(by(FEW, "end")));
        assertThat(told(questions))
                .containsExactly(
                        "admitted",
                        "OTHER",
                        "OTHER",
                        "OTHER",
                        "admitted",
                        "admitted",
                        "OTHER",
                        "OTHER",
                        "admitted",
                        "admitted");
        assertThat(jedis.exists(key(LOG, "pair")))
                .as("what shares a group with a poisoned key is not charged")
                .isFalse();
        assertThat(told(List.of(asking(by(FEW, "last"))))).containsExactly("rejected");
    }

    @Test
    void oneCallersFailureIsWhatItWouldBeAlone() {
        jedis.hset(key(FEW, "poisoned"), "f", "v");
        DecisionCall poisoned = asking(by(FEW, "poisoned"));
        Reply shared = time.ask(List.of(poisoned, asking(by(FEW, "alice")))).get(0);
        assertThatExceptionOfType(JedisDataException.class)
                .isThrownBy(() -> poisoned.decision(shared))
                .withMessageContaining("WRONGTYPE");
        assertThatExceptionOfType(JedisDataException.class)
                .isThrownBy(() -> time.ask(List.of(poisoned)))
                .withMessageContaining("WRONGTYPE");
    }

    /** Callers that ask the same fail together, and no others. */
    @Test
    void equalQuestionsFailTogether() {
        jedis.hset(key(FEW, "poisoned"), "f", "v");
        List<DecisionCall> questions = List.of(
                asking(by(FEW, "poisoned")),
                asking(by(FEW, "alice")),
                asking(by(FEW, "poisoned")),
                asking(by(FEW, "alice")),
                asking(by(FEW, "alice")));
        assertThat(told(questions)).containsExactly("OTHER", "admitted", "OTHER", "admitted", "rejected");
    }

    @Test
    void aFullRedisStillRejects() {
        assertThat(told(List.of(asking(by(FEW, "spent")), asking(by(FEW, "spent")))))
                .containsExactly("admitted", "admitted");
        redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
        redis.command("CONFIG", "SET", "maxmemory", "1");
        assertThat(told(List.of(
                        asking(by(FEW, "alice")),
                        asking(by(FEW, "spent")),
                        asking(by(LOG, "alice")),
                        asking(by(WINDOW, "alice"), by(FEW, "spent")))))
                .containsExactly("OUT_OF_MEMORY", "rejected", "OUT_OF_MEMORY", "rejected");
    }

    @Test
    void aMissingPermissionHitsOnlyTheAlgorithmsThatNeedIt() {
        redis.command("ACL", "SETUSER", "limiter", "on", ">pw", "~rl:*", "+@all", "-rpush");
        try (RedisClient limited =
                RedisClient.create(URI.create(redis.uri().replace("redis://", "redis://limiter:pw@")))) {
            time = new VirtualTime(limited);
            assertThat(told(List.of(asking(by(FEW, "a")), asking(by(LOG, "a")), asking(by(WINDOW, "a")))))
                    .containsExactly("admitted", "NOT_PERMITTED", "admitted");
        }
    }

    @Test
    void aReplicaRejectsAndCannotAdmit() {
        assertThat(told(List.of(asking(by(FEW, "spent")), asking(by(FEW, "spent")))))
                .containsExactly("admitted", "admitted");
        redis.command("REPLICAOF", "127.0.0.1", "1"); // where no server is: it serves what it has
        assertThat(told(List.of(asking(by(FEW, "spent")), asking(by(FEW, "alice")), asking(by(FEW, "bob")))))
                .containsExactly("rejected", StoreError.READ_ONLY.name(), StoreError.READ_ONLY.name());
    }
}
