package dev.limiter.servers;

import java.net.URL;
import java.util.Map;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.OperateOnDeployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two instances of one application on one server. */
@ExtendWith(ArquillianExtension.class)
class InstancesIT implements ContractQuota, LiveConfiguration, Operations {
    private static final Charged CHARGED = new Charged("instances");

    private final LiveSettings settings = new LiveSettings();

    @ArquillianResource
    @OperateOnDeployment("one")
    private URL one;

    @ArquillianResource
    @OperateOnDeployment("other")
    private URL other;

    @Deployment(name = "one", testable = false)
    static WebArchive deployOne() {
        return instance("instances-one");
    }

    @Deployment(name = "other", testable = false)
    static WebArchive deployOther() {
        return instance("instances-other");
    }

    private static WebArchive instance(String name) {
        WebArchive war = Wars.of(
                name,
                Map.of(
                        "limiter.application", "instances",
                        "limiter.cache-rejections", "true",
                        "limiter.operations.role", "operator",
                        "limiter.policy.login.ban", "1h after 2",
                        "limiter.policy.sober.limit", "7",
                        "limiter.quota.cache", "100ms"),
                "BuyingResource",
                "ChangeObserver",
                "Gate",
                "GateResource",
                "LiveResource",
                "MetersResource",
                "OperatorFilter",
                "OperatorFilter$1",
                "OperatorResource",
                "OwnLimitsResource",
                "PlanFilter",
                "SettingsResource",
                "SoldQuotas",
                "SoldResource");
        return Wars.addMicrometer(Wars.addOperations(war));
    }

    @Override
    public URL one() {
        return one;
    }

    @Override
    public URL other() {
        return other;
    }

    @Override
    public Charged charged() {
        return CHARGED;
    }

    @Override
    public LiveSettings settings() {
        return settings;
    }
}
