import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.jaxrs.DeployedLimits;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;

/** The limit of a job that sends mails, whose provider takes no more than so many in any minute. */
@ApplicationScoped
public class MailLimit {
    @Inject
    DeployedLimits limits; // without CDI: ServletLimits.of(servletContext)

    /** Whether a mail may be sent now; false if its turn would come only later. */
    public boolean admits() throws InterruptedException {
        Policy mails = limits.policy("mails"); // each time, so that changes are in force
        CheckGroup group = CheckGroup.of(Check.of(mails, PartitionKey.of("job", "mails")));
        return limits.limiter().acquire(group, Duration.ofMinutes(2)).admitted(); // waits
    }
}
