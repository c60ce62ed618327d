package dev.limiter.redis.internal.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.RateLimiter;
import dev.limiter.model.Histories;
import dev.limiter.model.History;
import dev.limiter.model.HistoryRun;
import dev.limiter.model.Kind;
import dev.limiter.model.Pause;
import dev.limiter.model.Step;
import dev.limiter.redis.Forwarding;
import dev.limiter.redis.internal.script.Proof;
import dev.limiter.redis.internal.script.VirtualTime;
import dev.limiter.spi.Ask;
import dev.limiter.spi.GroupDecisions;
import dev.limiter.testkit.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.RedisClient;

/**
 * Runs the same histories on a limiter that caches rejections and on the reference model, which
 * is asked each time. The results have to be equal to the microsecond. Callers of single checks
 * repeat them, as rejected callers do. The test counts the results without the store, and prints
 * their number.
 */
@Tag("proof")
@Tag("store")
class RejectionCachingProofTest {
    private static final long SURELY_NOTHING_EXPIRED_NANOS = 900_000_000L;
    private static final int TRIES = 10;

    /** Fewer than scripts are tried with: what they say is proved there. */
    private static final int HISTORIES = 400;

    /** The least number of rejections, so that some were cached. */
    private static final int ENOUGH_REJECTIONS = 200;

    /** Waited for before a request is repeated. */
    private static final List<Pause> INSISTING = List.of(
            new Pause.Fixed(0),
            new Pause.Said(Pause.Figure.NEXT, 0, -1),
            new Pause.Fixed(1),
            new Pause.Fixed(0),
            new Pause.Said(Pause.Figure.RETRY, 0, 0),
            new Pause.Fixed(997));

    @AutoClose
    private static final RedisServer redis = RedisServer.start();

    @AutoClose
    private static final RedisClient jedis = RedisClient.create(redis.uri());

    /**
     * Of one kind of histories: how many groups of one were rejected, and how many of these
     * without the store.
     */
    private static final class Tally {
        private long rejected;
        private long remembered;
    }

    static List<Kind> kinds() {
        return Kind.all();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everyAnswerIsTheModels(Kind kind) {
        Tally tally = new Tally();
        History.forAll(Histories.of(kind).map(RejectionCachingProofTest::insisting))
                .tries(HISTORIES)
                .check(history -> liveThrough(history, tally));
        System.out.printf(
                "%n%s: %,d of %,d rejections of one policy remembered, 0 differences from the model%n",
                kind, tally.remembered, tally.rejected);
        if (kind.algorithm() == Algorithm.LEAKY_BUCKET || kind.algorithm() == Algorithm.CONCURRENCY) {
            assertThat(tally.remembered).isZero();
        } else if (tally.rejected >= ENOUGH_REJECTIONS) {
            assertThat(tally.remembered).isGreaterThan(tally.rejected / 10);
        }
    }

    /**
     * As in {@link Proof}: a difference that a machine needed a second to reach may be a key
     * that expired in real time.
     */
    private static void liveThrough(History history, Tally tally) {
        for (int tries = 1; ; tries++) {
            long began = System.nanoTime();
            jedis.flushAll();
            Subject subject = new Subject(new VirtualTime(jedis));
            try {
                new HistoryRun(subject::move, Map.of("remembering", subject.limiter)).liveThrough(history);
                tally.rejected += subject.limiter.rejected;
                tally.remembered += subject.limiter.rejected - subject.store.rejected;
                return;
            } catch (AssertionError difference) {
                if (System.nanoTime() - began < SURELY_NOTHING_EXPIRED_NANOS || tries == TRIES) {
                    throw difference;
                }
            }
        }
    }

    private static History insisting(History history) {
        List<Step> steps = new ArrayList<>();
        int again = 0;
        for (Step step : history.steps()) {
            steps.add(step);
            for (int times = isOfOne(step) ? steps.size() % 6 : 0; times > 0; times--) {
                Pause pause = INSISTING.get(again++ % INSISTING.size());
                steps.add(new Step.Acquire(pause, ((Step.Acquire) step).groups()));
            }
        }
        return new History(history.name(), steps);
    }

    private static boolean isOfOne(Step step) {
        return step instanceof Step.Acquire asked
                && asked.groups().size() == 1
                && asked.groups().get(0).checks().size() == 1;
    }

    /**
     * The limiter under test. Its own watch goes as Redis' clock does, but never back: that is a
     * step, which it is told of.
     */
    private static final class Subject {
        private final VirtualTime time;
        private final OneByOne store;
        private final OneByOne limiter;
        private final RejectionCache rejections = new RejectionCache();
        private long nanos;

        Subject(VirtualTime time) {
            this.time = time;
            this.store = new OneByOne(time.limiter("proof"));
            this.limiter = new OneByOne(new RejectionCachingRateLimiter(store, rejections, () -> nanos));
        }

        void move(long micros) {
            long passed = micros - time.micros();
            time.move(micros);
            if (passed < 0) {
                rejections.clear();
            } else {
                nanos += 1_000 * passed;
            }
        }
    }

    /**
     * Counts rejections. What is asked in one call is never answered from memory, so it is asked
     * one after the other.
     */
    private static final class OneByOne extends Forwarding {
        private long rejected;

        OneByOne(RateLimiter limiter) {
            super(limiter);
        }

        @Override
        public void about(String call, List<CheckGroup> groups) {}

        @Override
        public <A> A answer(Ask<A> ask) {
            if (ask instanceof Ask.AcquireEach each) {
                return ask.is(GroupDecisions.oneByOne(each.groups(), this::acquire));
            }
            A answer = super.answer(ask);
            if (ask instanceof Ask.Acquire acquire) {
                boolean isAlone = acquire.group().checks().size() == 1;
                rejected += ((Decision) answer).admitted() || !isAlone ? 0 : 1;
            }
            return answer;
        }
    }
}
