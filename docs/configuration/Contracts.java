import dev.limiter.jaxrs.QuotaSource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Named;
import java.util.Map;

/** The quota of each user that has a contract. */
@ApplicationScoped
@Named("contracts")
public class Contracts implements QuotaSource {
    private final Map<String, Long> sold = Map.of("acme", 250L);

    @Override
    public Quota of(Partition partition) {
        String user = partition.value("user"); // null if the key is {user|ip}, without a user
        Long limit = user == null ? null : sold.get(user);
        return limit == null ? null : Quota.of(limit); // null: the quota of the annotation
    }
}
