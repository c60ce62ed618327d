package dev.limiter.example;

import static io.restassured.RestAssured.get;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which endpoints of the zoo have limits. */
@ExtendWith(ArquillianExtension.class)
class ZooEndpointsIT {

    @ArquillianResource
    private URL zoo;

    @Deployment(testable = false)
    static WebArchive deploy() {
        SharedRedis.configure();
        return Wars.with(Wars.zoo("zoo-endpoints"), "EndpointsServlet");
    }

    @Test
    void eachEndpointIsListed() {
        assertThat(get(zoo + "endpoints").asString().lines())
                .containsExactly(
                        "LIMITED GET /api/animals (AnimalResource.all) [animals]",
                        "LIMITED POST /api/answers (AnswerResource.answer) [tokens]",
                        "UNLIMITED GET /api/feeding-orders (FeedingOrderResource.stats) []",
                        "UNLIMITED POST /api/feeding-orders (FeedingOrderResource.place) []",
                        "UNLIMITED GET /api/feeding-orders/{id} (FeedingOrderResource.state) []",
                        "EXEMPT GET /api/health (HealthResource.health) []",
                        "UNLIMITED GET /api/keeper (KeeperResource.pace) []",
                        "UNLIMITED PUT /api/keeper (KeeperResource.work) []",
                        "EXEMPT GET /api/limits (KeeperLimits.limits) []",
                        "EXEMPT DELETE /api/limits/callers/{policy} (KeeperLimits.forgive) []",
                        "EXEMPT GET /api/limits/callers/{policy} (KeeperLimits.caller) []",
                        "EXEMPT PUT /api/limits/callers/{policy} (KeeperLimits.changeCaller) []",
                        "UNLIMITED GET /api/limits/me (VisitorLimits.limits) []",
                        "EXEMPT DELETE /api/limits/policies/{policy} (KeeperLimits.takeBack) []",
                        "EXEMPT PUT /api/limits/policies/{policy} (KeeperLimits.change) []",
                        "EXEMPT GET /api/limits/rejected (KeeperLimits.rejected) []",
                        "EXEMPT GET /api/limits/usage/{policy} (KeeperLimits.usage) []",
                        "UNLIMITED GET /api/marks (MarkResource.after) []",
                        "NOT_REJECTING GET /api/plan (PlanResource.use) [plan]",
                        "UNLIMITED GET /api/policies (PolicyResource.named) []",
                        "LIMITED GET /api/strategies/concurrency (StrategyResource.concurrency) [concurrency]",
                        "LIMITED GET /api/strategies/fixed-window (StrategyResource.fixedWindow) [fixed-window]",
                        "LIMITED GET /api/strategies/gcra (StrategyResource.gcra) [gcra]",
                        "LIMITED GET /api/strategies/leaky-bucket (StrategyResource.leakyBucket) [leaky-bucket]",
                        "LIMITED GET /api/strategies/sliding-log (StrategyResource.slidingLog) [sliding-log]",
                        "LIMITED GET /api/strategies/sliding-window (StrategyResource.slidingWindow) [sliding-window]",
                        "LIMITED GET /api/strategies/token-bucket (StrategyResource.tokenBucket) [token-bucket]",
                        "LIMITED GET /api/strategies/token-bucket-interval (StrategyResource.tokenBucketInterval)"
                                + " [token-bucket-interval]",
                        "LIMITED GET /api/strategies/uniform (StrategyResource.uniform) [uniform]",
                        "LIMITED POST /api/tickets/{show} (TicketResource.buy) [buyer, show]",
                        "LIMITED POST /api/tiger-feeding/both (TigerFeedingResource.both) [gate, feeding]",
                        "LIMITED POST /api/tiger-feeding/gate (TigerFeedingResource.gate) [gate]",
                        "LIMITED POST /api/tiger-feeding/window (TigerFeedingResource.window) [feeding]",
                        "EXEMPT /endpoints (EndpointsServlet) []");
    }
}
