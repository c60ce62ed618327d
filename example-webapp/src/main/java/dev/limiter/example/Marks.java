package dev.limiter.example;

import dev.limiter.Decision;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * What became of the limited requests: where the limits are in one Redis, those of all nodes; else, and while that does not answer,
 * those of this node.
 */
@ApplicationScoped
class Marks {
    private static final System.Logger LOG = System.getLogger("dev.limiter.example.marks");

    /** What whoever comes new is shown. */
    private static final Duration LOOKING_BACK = Duration.ofMinutes(1);

    private final String node = Integer.toHexString(0x1000 + new SecureRandom().nextInt(0xF000));
    private final AtomicLong count = new AtomicLong();
    private final RecentMarks own = new RecentMarks();
    private MarkStream shared;

    @PostConstruct
    void open() {
        Config config = ConfigProvider.getConfig();
        String application =
                config.getOptionalValue("limiter.application", String.class).orElse("zoo");
        config.getOptionalValue("limiter.redis.uri", String.class)
                .filter(Marks::isOneServer)
                .ifPresent(uri -> shared = new MarkStream(URI.create(uri.strip()), "rl:" + application + ":marks"));
    }

    /** The limiter knows clusters and sentinels; this example does not. */
    private static boolean isOneServer(String uri) {
        boolean one = uri.strip().matches("rediss?://[^,]+");
        if (!one) {
            LOG.log(Level.INFO, "limiter.redis.uri is not that of one server: each node shows its own marks");
        }
        return one;
    }

    @PreDestroy
    void close() {
        if (shared != null) {
            shared.close();
        }
    }

    /** Records a request, without waiting for anything. */
    void record(String path, String user, List<Decision> decisions) {
        Mark mark = Mark.of(node + "-" + count.incrementAndGet(), path, user, decisions);
        own.add(mark);
        if (shared != null) {
            shared.add(mark);
        }
    }

    /**
     * The oldest of those that were recorded after {@code since}, at most a page.
     *
     * @param since {@link MarkPage#last} of an earlier page; empty for those of the last minute
     */
    MarkPage after(Optional<MarkId> since) {
        if (shared == null) {
            return own.after(since, LOOKING_BACK, MarkPage.Source.ALONE, 0);
        }
        return shared.after(since, LOOKING_BACK)
                .orElseGet(() -> own.after(since, LOOKING_BACK, MarkPage.Source.CUT_OFF, shared.lost()));
    }
}
