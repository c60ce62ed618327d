package dev.limiter.servers;

import java.util.HashMap;
import java.util.Map;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/**
 * An application with the name of its path in Redis, however the server starts it, and with both
 * dialects of fields.
 */
class OperatedIT extends SharedWar implements BothDialects, CatchAll, Operated {
    private static final Charged CHARGED = new Charged("/operated");

    OperatedIT() {
        super(CHARGED);
    }

    @Deployment(testable = false)
    static WebArchive deploy() {
        Map<String, String> settings = new HashMap<>(ACCOUNT);
        settings.put("limiter.application", "");
        settings.put("limiter.headers", "draft-11,legacy");
        return Wars.of(
                "operated",
                settings,
                "AcquiringResource",
                "AnswersResource",
                "CatchAllMapper",
                "Counted",
                "EndsResource",
                "EndsResource$Sub",
                "Gate",
                "OperatedResource",
                "OriginalRequest",
                "RejectionObserver",
                "TeapotException");
    }
}
