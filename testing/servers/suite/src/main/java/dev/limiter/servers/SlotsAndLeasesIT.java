package dev.limiter.servers;

import java.util.Map;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** An application whose requests wait and last, and which remembers rejections. */
class SlotsAndLeasesIT extends SharedWar implements CachedRejection, Renewal, SlotWait {
    private static final Charged CHARGED = new Charged("slots");

    SlotsAndLeasesIT() {
        super(CHARGED);
    }

    @Deployment(testable = false)
    static WebArchive deploy() {
        return Wars.of(
                "slots",
                Map.of(
                        "limiter.cache-rejections",
                        "true",
                        "limiter.lease",
                        LEASE.toSeconds() + "s",
                        "limiter.slot-wait.max",
                        Integer.toString(MOST_HELD)),
                "FailuresResource",
                "Gate",
                "GateResource",
                "LastingResource",
                "QueueResource");
    }
}
