import dev.limiter.CheckGroup;
import dev.limiter.jaxrs.DeployedLimits;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Map;

/** The limit of a chat, which an {@code @OnMessage} method asks, or a job. */
@ApplicationScoped
public class ChatLimit {
    @Inject
    DeployedLimits limits; // without CDI: ServletLimits.of(servletContext)

    public boolean admits(String user) {
        return limits.check("chat", Map.of("user", user)) // empty: not counted
                .map(check -> limits.limiter().acquire(CheckGroup.of(check)).admitted())
                .orElse(true);
    }
}
