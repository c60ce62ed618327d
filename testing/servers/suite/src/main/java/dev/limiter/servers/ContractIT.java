package dev.limiter.servers;

import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A bean with the quotas of contracts, where a server holds one WAR only; {@link ContractQuota}
 * shows more.
 */
@ExtendWith(ArquillianExtension.class)
@EnabledIfSystemProperty(named = "server.one-war", matches = "true")
class ContractIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final LiveSettings settings = new LiveSettings();

    @ArquillianResource
    private URL server;

    @Deployment(testable = false)
    static WebArchive deploy() {
        Map<String, String> cache = Map.of("limiter.quota.cache", "1s");
        return Wars.of("contract", cache, "SoldQuotas", "SoldResource", "SettingsResource", "Gate");
    }

    @BeforeEach
    void emptyRedis() {
        SharedRedis.empty();
    }

    @AfterEach
    void asItWas() {
        settings.clearAll(server);
    }

    @Test
    void aContractIsInForceAfterTheCacheTimeAndSoIsARaise() {
        assertThat(policy("customer")).isEqualTo(field(50));
        await("100", 100);
        await("250", 250);
    }

    private void await(String quota, int limit) {
        settings.set(server, "sold.customer", quota);
        LiveSettings.awaitOnEach(List.of(server), PATIENCE, instance -> policy("customer"), field(limit));
    }

    private String policy(String customer) {
        Response response = to(server).get("sold/" + customer);
        assertThat(response.statusCode()).isIn(200, 429);
        return response.header("RateLimit-Policy");
    }

    private static String field(int limit) {
        return "\"plan\";q=" + limit + ";w=3600";
    }
}
