package dev.limiter.servers;

import java.net.URL;
import org.junit.jupiter.api.BeforeEach;

/** Tests of one topic, in a WAR that they share with other topics: see {@link SharedWar}. */
interface Topic {

    /** Where the WAR is deployed. */
    URL server();

    /** What its requests were charged. */
    Charged charged();

    @BeforeEach
    default void emptyRedis() {
        SharedRedis.empty();
    }
}
