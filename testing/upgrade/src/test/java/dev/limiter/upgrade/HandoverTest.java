package dev.limiter.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.limiter.queue.QueueStorage;
import dev.limiter.testkit.RedisServer;
import dev.limiter.upgrade.Instances.Build;
import dev.limiter.upgrade.Instances.Running;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What one build has begun, the other goes on with; in both directions. */
class HandoverTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final RedisServer redis = RedisServer.start();
    private final Instances instances = new Instances(redis.uri());
    private Running one;
    private Running other;

    private void start(Build first) throws IOException {
        one = instances.start(first);
        other = instances.start(first == Build.EARLIER ? Build.PRESENT : Build.EARLIER);
    }

    @AfterEach
    void stop() {
        instances.close();
        redis.close();
    }

    @ParameterizedTest
    @EnumSource
    void aSpentLimitIsSpentForTheOtherBuild(Build first) throws IOException {
        start(first);
        for (int policy = 0; policy < SharedLimits.SPENT.size(); policy++) {
            String acquire = "acquire " + policy;
            assertThat(one.call(acquire)).isEqualTo("admitted");
            bothTellTheSame(policy);
            assertThat(other.call(acquire)).isEqualTo("admitted");
            bothTellTheSame(policy);
            assertThat(one.call(acquire)).as(acquire).isEqualTo("admitted");
            assertThat(other.call(acquire)).as(acquire).startsWith("rejected");
            assertThat(one.call(acquire)).as(acquire).startsWith("rejected");
            bothTellTheSame(policy);
        }
    }

    /** Spans shrink while the calls are made, so each lies between two that the other tells. */
    private void bothTellTheSame(int policy) throws IOException {
        long[] before = figures(one, policy);
        long[] between = figures(other, policy);
        long[] after = figures(one, policy);
        for (int i = 0; i < before.length; i++) {
            assertThat(between[i])
                    .as("figure %d of used, remaining, retry, next, reset of %s", i, SharedLimits.SPENT.get(policy))
                    .isBetween(after[i], before[i]);
        }
    }

    private static long[] figures(Running instance, int policy) throws IOException {
        return Arrays.stream(instance.call("peek " + policy).split(" "))
                .mapToLong(Long::parseLong)
                .toArray();
    }

    @ParameterizedTest
    @EnumSource
    void aLeaseIsRenewedGivenBackAndExpiresForTheOtherBuild(Build first) throws Exception {
        start(first);
        assertThat(one.call("lease a")).isEqualTo("admitted");
        assertThat(one.call("lease b")).isEqualTo("admitted");
        assertThat(other.call("lease a")).as("renewed, so it counts once").isEqualTo("admitted");
        assertThat(other.call("lease c")).isEqualTo("admitted");
        assertThat(one.call("lease d")).isEqualTo("rejected");
        assertThat(other.call("release a")).isEqualTo("true");
        assertThat(one.call("lease d")).isEqualTo("admitted");
        one.kill();
        await("leases of a process that is gone expire")
                .atMost(PATIENCE)
                .until(() -> other.call("lease e").equals("admitted"));
    }

    @ParameterizedTest
    @EnumSource
    void aPauseHoldsForTheOtherBuildAndCanBecomeLonger(Build first) throws IOException {
        start(first);
        assertThat(other.call("partner")).isEqualTo("admitted");
        one.call("pause 100");
        assertThat(waits(other)).isBetween(50_000L, 100_000L);
        other.call("pause 200");
        assertThat(waits(one)).isBetween(150_000L, 200_000L);
    }

    private static long waits(Running instance) throws IOException {
        String answer = instance.call("partner");
        assertThat(answer).startsWith("rejected ");
        return Long.parseLong(answer.substring("rejected ".length()));
    }

    @ParameterizedTest
    @EnumSource
    void anEntryIsTakenEndedAndDeliveredAgainByTheOtherBuild(Build first) throws Exception {
        start(first);
        for (QueueStorage form : QueueStorage.values()) {
            String queue = " " + form.ordinal() + " ";
            String id = one.call("offer" + queue + "fish");
            String left = one.call("offer" + queue + "hay");
            assertThat(other.call("take" + queue + "keeper")).isEqualTo("fish");
            assertThat(one.call("state" + queue + id)).isEqualTo("TAKEN");
            assertThat(one.call("acknowledge" + queue + id)).isEqualTo("true");
            assertThat(other.call("acknowledge" + queue + id)).isEqualTo("false");
            assertThat(other.call("state" + queue + id)).isEqualTo("DONE");
            assertThat(one.call("take" + queue + "keeper")).isEqualTo("hay");
            await("a hold that is over")
                    .atMost(PATIENCE)
                    .until(() -> other.call("take" + queue + "keeper").equals("hay"));
            assertThat(other.call("acknowledge" + queue + left)).isEqualTo("true");
        }
    }
}
