package dev.limiter.servers;

import java.util.Map;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** An application as most are. */
class PlainIT extends SharedWar
        implements Anchored,
                Charges,
                LimitedClass,
                Estimates,
                Keys,
                RateLimits,
                Responses,
                SlotWaitRejected,
                Spellings,
                StrangeEnds,
                TieredLimits {
    private static final Charged CHARGED = new Charged("plain");

    private static final Map<String, String> SETTINGS = Map.of(
            "limiter.policy.carrier.key", "'all'",
            "limiter.policy.carrier.algorithm", "SLIDING_LOG",
            "limiter.policy.carrier.limit", "3",
            "limiter.policy.carrier.window", "1h",
            "limiter.policy.hidden.publish", "false",
            "limiter.slot-wait.max", "0");

    private static final String ERROR_PAGES = """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
                <error-page><error-code>409</error-code><location>/strange/page</location></error-page>
                <error-page><error-code>410</error-code><location>/ends/error-page</location></error-page>
            </web-app>
            """;

    PlainIT() {
        super(CHARGED);
    }

    @Deployment(testable = false)
    static WebArchive deploy() {
        return Wars.of(
                        "plain",
                        SETTINGS,
                        "AnchoredResource",
                        "AnswersResource",
                        "CarrierFilter",
                        "CarrierResource",
                        "ChildResource",
                        "Contract",
                        "ContractResource",
                        "Counted",
                        "CountedServlet",
                        "CountedServlet$1",
                        "CountedServlet$Recovery",
                        "DeskResource",
                        "DispatchingServlet",
                        "EndsResource",
                        "EndsResource$Sub",
                        "Estimated",
                        "EstimatesResource",
                        "EstimatingServlet",
                        "ExposingFilter",
                        "ExposingServletFilter",
                        "Gate",
                        "GateResource",
                        "IncludedResource",
                        "KeysResource",
                        "LateExposingFilter",
                        "OriginalRequest",
                        "ParentResource",
                        "PlanFilter",
                        "ProxiedResource",
                        "QueueResource",
                        "ShopResource",
                        "ShopResource$Drawer",
                        "ShopResource$Shelf",
                        "ShopResource$Till",
                        "SpelledResource",
                        "StrangeResource",
                        "StrangeResource$Failing",
                        "StrangeResource$Unwritable",
                        "StrangeResource$Writer",
                        "TeapotException",
                        "TeapotMapper",
                        "TieredResource",
                        "Watched",
                        "Watcher")
                .setWebXML(new StringAsset(ERROR_PAGES));
    }
}
