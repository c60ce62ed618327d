package dev.limiter.redis.load;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.redis.internal.script.VirtualTime;
import dev.limiter.testkit.ChildJvm;
import dev.limiter.testkit.RedisServer;
import java.io.BufferedReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.RedisClient;

/** 10,000 tokens per minute, estimated at 1,000 for each request, on a clock that stands. */
class SettlementLoadTest {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final Policy TOKENS =
            Policy.of("tokens", FIXED_WINDOW, 10_000, Duration.ofMinutes(1)).alignedToTheClock();
    private static final int REQUESTS = 200;
    private static final long ESTIMATE = 1_000;

    private RedisServer redis;
    private RedisClient jedis;
    private VirtualTime time;
    private RateLimiter limiter;

    @BeforeEach
    void start() {
        redis = RedisServer.start();
        jedis = RedisClient.create(redis.uri());
        time = new VirtualTime(jedis);
        limiter = time.limiter("load");
    }

    @AfterEach
    void stop() {
        limiter.close();
        jedis.close();
        redis.close();
    }

    /**
     * All requests of a wave ask before the admitted ones settle. So each wave admits as many
     * estimates as the rest holds.
     *
     * @param waves the admitted requests of each wave, until none is
     */
    @ParameterizedTest
    @CsvSource({"300, 10 7 4 3 2 2 1 1 1 0, 9300", "1700, 10 0, 17000", "0, 10 10 10, 0"})
    @Timeout(value = 5, unit = TimeUnit.MINUTES) // only so that a request that hangs does not hang the build
    void exactlyWhatWasUsedIsMissing(long used, String waves, long missing) throws Exception {
        ExecutorService requests = Executors.newFixedThreadPool(REQUESTS);
        try {
            for (String admitted : waves.split(" ")) {
                assertThat(wave(requests, used)).isEqualTo(Long.parseLong(admitted));
            }
        } finally {
            requests.shutdownNow();
        }
        assertThat(charged()).isEqualTo(missing);
        System.out.printf(
                "%n%d parallel requests, %,d of %,d tokens estimated, %,d used: admitted in each wave %s, %,d missing%n",
                REQUESTS, ESTIMATE, TOKENS.limit(), used, waves, missing);
    }

    /** How many of the requests were admitted; all of them have settled. */
    private long wave(ExecutorService requests, long used) throws Exception {
        CyclicBarrier allHaveAsked = new CyclicBarrier(REQUESTS);
        List<Future<Boolean>> running = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            running.add(requests.submit(() -> {
                Decision decision = limiter.acquire(estimate());
                allHaveAsked.await();
                if (decision instanceof Decision.Admitted admission) {
                    limiter.settle(admission, TOKENS, used);
                }
                return decision.admitted();
            }));
        }
        long admitted = 0;
        for (Future<Boolean> each : running) {
            admitted += each.get() ? 1 : 0;
        }
        return admitted;
    }

    /** What Redis counts, also beyond the limit: the last four bytes of the state. */
    private long charged() {
        byte[] key = limiter.storeKey(TOKENS, ALICE).getBytes(StandardCharsets.US_ASCII);
        return Integer.toUnsignedLong(ByteBuffer.wrap(jedis.get(key)).getInt(Double.BYTES));
    }

    private static CheckGroup estimate() {
        return CheckGroup.of(new Check(TOKENS, ALICE, ESTIMATE)).asRefundable();
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES) // only so that a process that hangs does not hang the build
    void aKilledProcessLeavesTheEstimateUntilTheWindowEnds() throws Exception {
        Process worker = new ProcessBuilder(ChildJvm.command(Worker.class.getName(), redis.uri()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader output = worker.inputReader()) {
            assertThat(output.readLine()).isEqualTo("9000 left");
        } finally {
            worker.destroyForcibly();
        }
        assertThat(worker.waitFor()).isNotZero();
        long left = limiter.peek(TOKENS, ALICE).resetAfterMicros();
        assertThat(left).isBetween(1L, TOKENS.windowMicros());
        time.move(time.micros() + left - 1);
        assertThat(limiter.peek(TOKENS, ALICE).remaining()).isEqualTo(9_000);
        time.move(time.micros() + 1);
        assertThat(limiter.peek(TOKENS, ALICE).remaining()).isEqualTo(10_000);
    }

    /** Acquires an estimate, says what is left, and works until it is killed. */
    static final class Worker {
        private Worker() {}

        public static void main(String[] uri) throws Exception {
            RedisClient jedis = RedisClient.create(uri[0]);
            RateLimiter limiter = new VirtualTime(jedis).limiter("load");
            System.out.println(limiter.acquire(estimate()).results().get(0).remaining() + " left");
            System.in.read();
        }
    }
}
