package dev.limiter.jaxrs.internal.signals;

import static dev.limiter.jaxrs.internal.signals.MeterSheet.Kind.COUNTER;
import static dev.limiter.jaxrs.internal.signals.MeterSheet.Kind.GAUGE;
import static dev.limiter.jaxrs.internal.signals.MeterSheet.Kind.SECONDS;
import static dev.limiter.jaxrs.internal.signals.MeterSheet.Kind.TIMER;

import java.util.List;

/**
 * The data sheet of each meter of requests and stores. Micrometer's registry and the table of
 * {@code docs/operating.md} have what stands here. A meter that counts requests by policy needs
 * no more: {@link RequestSignals#count}.
 */
public enum MeterSheet {
    DECISIONS("limiter.decisions", COUNTER, "what each policy decided", "policy", "outcome"),
    DECISION("limiter.decision", TIMER, "how long requests waited for decisions"),
    STORE_ERRORS("limiter.store.errors", COUNTER, "calls of Redis that failed", "error"),
    STORE_AMBIGUOUS("limiter.store.ambiguous", COUNTER, "how many of these may have counted in spite of the error"),
    SCRIPT_MISSING(
            "limiter.store.script.missing", COUNTER, "decisions whose script Redis lacked, such as after a restart"),
    CREDENTIALS_FAILURES(
            "limiter.credentials.failures",
            COUNTER,
            "calls of a CredentialsSource without usable credentials, and credentials that Redis refused"),
    POOL_WAIT("limiter.pool.wait", TIMER, "how long a call waited to be sent while others were under way"),
    BREAKER_OPEN("limiter.breaker.open", GAUGE, "1 while a node is given up, else 0", "node"),
    FALLBACK_PARTITIONS(
            "limiter.fallback.partitions",
            GAUGE,
            "partitions that this process remembers for LOCAL: at most 100,000, and at most 64 MiB"),
    LEASES_RENEWED("limiter.leases.renewed", GAUGE, "leases of requests in flight that this process renews"),
    LEASES_OLDEST("limiter.leases.oldest", SECONDS, "how long the oldest of these leases has been held"),
    LEASES_EXPIRED(
            "limiter.leases.expired", COUNTER, "leases that ended before their request, which then ran uncounted"),
    CLOCK_STEPPED("limiter.clock.stepped", COUNTER, "how often the clock of Redis stepped, or stood still"),
    /**
     * A part of a request's key was missing with all its alternatives, and the client's address
     * was counted in its place.
     */
    KEY_MISSING("limiter.key.missing", COUNTER, "requests that lacked a part of their key", "policy"),
    QUOTA_FAILURES(
            "limiter.quota.failures",
            COUNTER,
            "calls of a QuotaSource bean without a usable answer",
            "policy",
            "reason"),
    /**
     * A caller had no anchor, or none that the period of the policy has, and its period began as
     * that without an anchor.
     */
    ANCHOR_UNUSABLE("limiter.anchor.unusable", COUNTER, "requests whose anchor is missing or does not fit", "policy"),
    /** A caller had no time zone, or one that is unknown, and its period was that of UTC. */
    ZONE_UNUSABLE("limiter.zone.unusable", COUNTER, "requests whose caller has no known time zone", "policy"),
    /**
     * A caller had a tier that the policy does not know, and was counted as a caller of no tier.
     */
    TIER_UNKNOWN("limiter.tier.unknown", COUNTER, "requests whose caller has a tier that the policy lacks", "policy"),
    SLOT_WAIT("limiter.slot.wait", TIMER, "how long LEAKY_BUCKET held requests"),
    SLOT_WAIT_REJECTED(
            "limiter.slot.wait.rejected", COUNTER, "429s because no thread was free to wait for LEAKY_BUCKET");

    /** What a meter is, and its unit. */
    enum Kind {
        COUNTER(""),
        TIMER("timer: "),
        GAUGE("gauge: "),
        SECONDS("gauge, seconds: ");

        private final String words;

        Kind(String words) {
            this.words = words;
        }
    }

    private final String meter;
    private final Kind kind;
    private final String description;
    private final List<String> tags;

    MeterSheet(String meter, Kind kind, String description, String... tags) {
        this.meter = meter;
        this.kind = kind;
        this.description = description;
        this.tags = List.of(tags);
    }

    /** The name of the meter, such as {@code limiter.decisions}. */
    String meter() {
        return meter;
    }

    Kind kind() {
        return kind;
    }

    /** What it shows, without its kind. */
    String description() {
        return description;
    }

    /** The names of its tags. */
    List<String> tags() {
        return tags;
    }

    /** Its row in the guide. */
    String row() {
        return "| " + meter + " | " + String.join(", ", tags) + " | " + kind.words + description;
    }
}
