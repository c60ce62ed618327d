package dev.limiter.jaxrs.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.PreMatching;
import org.junit.jupiter.api.Test;

/**
 * The places of the filters among those of a service. Filters of equal priority run in an order
 * that no server promises, so all of these are strict.
 */
class FilterPrioritiesTest {

    @Test
    void whatCountsGuessesRunsBeforeAnyAuthentication() {
        assertThat(RateLimitFilter.BeforeMatching.class).hasAnnotation(PreMatching.class);
        assertThat(priority(RateLimitFilter.BeforeMatching.class)).isLessThan(Priorities.AUTHENTICATION);
        assertThat(priority(RateLimitFilter.BeforeAuthentication.class)).isLessThan(Priorities.AUTHENTICATION);
    }

    /** They run before filters that refuse callers, because such requests count too. */
    @Test
    void whatCountsCallersRunsBetweenAuthenticationAndAuthorization() {
        assertThat(priority(RateLimitFilter.AfterAuthentication.class))
                .isGreaterThan(Priorities.AUTHENTICATION)
                .isLessThan(Priorities.AUTHORIZATION);
    }

    /**
     * Response filters run from the highest number to the lowest: those of a service may still
     * change the status.
     */
    @Test
    void whatTellsTheClientRunsAfterTheFiltersOfAService() {
        assertThat(priority(RateLimitResponseFilter.class)).isLessThan(Priorities.AUTHENTICATION);
    }

    private static int priority(Class<?> filter) {
        return filter.getAnnotation(Priority.class).value();
    }
}
