package dev.limiter.benchmarks;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.benchmarks.contest.Competitor;
import dev.limiter.benchmarks.contest.Entry;
import dev.limiter.benchmarks.contest.Quota;
import dev.limiter.benchmarks.contest.Verdict;
import dev.limiter.testkit.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A build of the limiter, loaded as the peers are. So an earlier build and the present one are
 * measured in one JVM, each with a class loader of its own.
 */
public abstract class Build implements Entry {
    private final String failure;

    private Build(String failure) {
        this.failure = failure;
    }

    /** With the local mirror. */
    public static final class Local extends Build {
        public Local() {
            super("LOCAL");
        }
    }

    /** Without it. */
    public static final class Open extends Build {
        public Open() {
            super("OPEN");
        }
    }

    /** Both builds beside each other; empty if no earlier one is named. */
    static List<Block<Competitor>> blocks(RedisServer redis, Quota quota, List<String> keys) {
        List<Block<Competitor>> blocks = new ArrayList<>();
        ClassPaths.before(ClassPaths.present()).ifPresent(earlier -> {
            for (Class<?> build : List.of(Local.class, Open.class)) {
                Entry now = load(build, ClassPaths.present());
                Contender<Competitor> present = new Contender<>(now.name(), now.enter(redis.port(), quota, keys));
                blocks.add(Block.of(
                        new Contender<>(
                                Who.before(now.name()), load(build, earlier).enter(redis.port(), quota, keys)),
                        present,
                        present));
            }
        });
        return blocks;
    }

    private static Entry load(Class<?> build, String classPath) {
        try {
            return (Entry) Peers.loader(ClassPaths.files(classPath))
                    .loadClass(build.getName())
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException missing) {
            throw new IllegalStateException(missing);
        }
    }

    @Override
    public String name() {
        return Who.build(failure);
    }

    @Override
    public String artifact() {
        return "limiter-redis";
    }

    @Override
    public Competitor enter(int port, Quota quota, List<String> keys) {
        RateLimiter limiter = Limiters.of("redis://127.0.0.1:" + port, Map.of("limiter.on-store-failure", failure));
        Policy gcra = Policy.of("gcra", Algorithm.GCRA, quota.limit(), quota.window());
        Ours ours = new Ours(limiter, gcra, keys);
        return new Competitor() {
            @Override
            public Verdict ask(int key) {
                return ours.ask(key);
            }

            @Override
            public void close() {
                limiter.close();
            }
        };
    }
}
