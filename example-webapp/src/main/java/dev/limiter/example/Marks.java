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
 * The records of limited requests. If the limits are in one Redis, they are those of all instances;
 * otherwise, and while that Redis does not answer, those of this instance.
 */
@ApplicationScoped
class Marks {
    private static final System.Logger LOG = System.getLogger("dev.limiter.example.marks");

    /** The span that a new viewer sees. */
    private static final Duration LOOKING_BACK = Duration.ofMinutes(1);

    private final String instance = Integer.toHexString(0x1000 + new SecureRandom().nextInt(0xF000));
    private final AtomicLong count = new AtomicLong();
    private final RecentMarks own = new RecentMarks();
    private MarkStream shared;

    @PostConstruct
    void open() {
        Config config = ConfigProvider.getConfig();
        String application =
                config.getOptionalValue("limiter.application", String.class).orElse("zoo");
        config.getOptionalValue("limiter.redis.uri", String.class)
                .ifPresent(uri -> shared = shared(uri.strip(), "rl:" + application + ":marks"));
    }

    /**
     * The stream in Redis; null for addresses that this example does not know, such as clusters
     * and sentinels.
     */
    private static MarkStream shared(String uri, String key) {
        Optional<URI> one = ofOneServer(uri);
        if (one.isEmpty()) {
            LOG.log(Level.INFO, "limiter.redis.uri does not name a single Redis, so each instance shows its own marks");
        }
        return one.map(server -> new MarkStream(server, key)).orElse(null);
    }

    /**
     * The address of one server, if the text is one. A wrong text is not logged, since it may
     * hold a password.
     */
    static Optional<URI> ofOneServer(String uri) {
        try {
            return Optional.of(uri)
                    .filter(text -> text.matches("rediss?://[^,]+"))
                    .map(URI::create)
                    .filter(server -> server.getHost() != null);
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    @PreDestroy
    void close() {
        if (shared != null) {
            shared.close();
        }
    }

    /** Records a request, without waiting for anything. */
    void record(String path, String user, List<Decision> decisions) {
        Mark mark = Mark.of(instance + "-" + count.incrementAndGet(), path, user, decisions);
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
