package dev.limiter.servers;

import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each policy has anchor and time zone of its request, also where a method asks it for a key of its
 * own; one that has neither keeps its period beside them.
 */
interface Anchored extends Topic {

    /** The server shows the method with the limit to the limiter first. */
    @ParameterizedTest
    @CsvSource({
        "1, UTC, 1 month, 1 month from 15",
        "7, Asia/Tokyo, 1 month from 7, 1 month Asia/Tokyo from 15",
        "31, Asia/Tokio, 1 month from 31, 1 month from 15",
        "0, Europe/Paris, 1 month, 1 month Europe/Paris from 15"
    })
    default void eachQuestionHasAnchorAndZoneOfTheRequest(String day, String zone, String plan, String local) {
        String ofCaller = "local per " + local + ", plan per " + plan;
        assertThat(get("anchored", day, zone)).isEqualTo("all per 1 month, " + ofCaller + ", " + ofCaller);
        assertThat(get("anchored/free", day, zone)).isEqualTo(ofCaller);
    }

    private String get(String path, String day, String zone) {
        return to(server())
                .header("Test-Plan", day)
                .header("Test-Zone", zone)
                .get(path)
                .asString();
    }
}
