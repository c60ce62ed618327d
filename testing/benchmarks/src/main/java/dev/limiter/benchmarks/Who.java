package dev.limiter.benchmarks;

import java.util.List;
import java.util.Locale;

/** The names of competitors that are not published peers. */
final class Who {
    static final String LIMITER = "limiter ";
    static final String FIXED = "limiter FIXED_WINDOW";
    static final String SLIDING_WINDOW = "limiter SLIDING_WINDOW";
    static final String GCRA = "limiter GCRA";
    static final String TOKENS = "limiter TOKEN_BUCKET";
    static final String INTERVAL = "limiter TOKEN_BUCKET, INTERVAL";
    static final String LOG = "limiter SLIDING_LOG";
    static final String GCRA_OPEN = "limiter GCRA, OPEN (no mirror)";
    static final String FIVE = "limiter, 5 × GCRA, 5 keys";
    static final String FIVE_MIXED = "limiter, 5 algorithms, 5 keys";
    static final String COUNTED = "limiter, a rejection counted for operators";
    static final String REMEMBERED = "limiter GCRA, rejected";

    static final String GET = "GET";
    static final String GCRA_BY_HAND = "our GCRA script by hand";
    static final String GATEWAY = "Spring Cloud Gateway's script";

    /** The load by which the machine is judged. */
    static final String FIXED_LOAD = "fixed load";

    private static final String BEFORE = ", before";

    private Who() {}

    /** Whether a competitor is measured with a key that is spent, or nearly so. */
    static boolean maySpend(String name) {
        return name.matches(".*(reject|L = ).*");
    }

    /** A build of the limiter, by what it does when Redis fails. */
    static String build(String failure) {
        return GCRA + ", " + failure + ", as loaded";
    }

    static String rejectedBy(int threads) {
        return "rejected, " + threads + (threads == 1 ? " thread" : " threads");
    }

    static String byHand(String name) {
        return "script of " + name + ", by hand";
    }

    /** The same of an earlier build. */
    static String before(String name) {
        return name + BEFORE;
    }

    static String log(long limit) {
        return LOG + ", L = " + String.format(Locale.ROOT, "%,d", limit);
    }

    static String exactSet(long limit) {
        return "exact sorted set, L = " + String.format(Locale.ROOT, "%,d", limit);
    }

    /** The published peers and Spring Cloud Gateway's script. */
    static List<String> peers(Samples samples, String series) {
        return samples.competitors(series).stream()
                .filter(name -> !name.matches("limiter.*|.*script.* by hand.*|GET.*|fixed load|.*sorted set.*"))
                .toList();
    }
}
