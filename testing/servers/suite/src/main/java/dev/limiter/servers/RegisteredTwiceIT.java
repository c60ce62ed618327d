package dev.limiter.servers;

import java.util.Map;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/**
 * An application that lists its classes, among them the feature that its server finds without
 * it.
 */
class RegisteredTwiceIT extends SharedWar implements NoFields, RegisteredTwice {
    private static final Charged CHARGED = new Charged("twice");

    RegisteredTwiceIT() {
        super(CHARGED);
    }

    @Deployment(testable = false)
    static WebArchive deploy() {
        return Wars.withoutApplication(
                "twice",
                Map.of("limiter.headers", "none"),
                "AnswersResource",
                "Counted",
                "EndsResource",
                "EndsResource$Sub",
                "Gate",
                "OriginalRequest",
                "TeapotException",
                "TwiceApplication");
    }
}
