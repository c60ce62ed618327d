import static dev.limiter.calendar.Usage.Period.PREVIOUS;

import dev.limiter.calendar.Usage;
import dev.limiter.jaxrs.DeployedLimits;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Map;

/**
 * Writes what a customer has used beyond the plan in the month that ended, with one call of Redis
 * for each customer. A unit that is given back later leaves the period in which it was charged.
 */
@ApplicationScoped
public class Invoices {
    @Inject
    DeployedLimits limits;

    public void write(String customer, String billingDay) {
        Map<String, String> caller =
                Map.of("attribute:client", customer, "attribute:billing_day", billingDay);
        limits.check("included", caller).ifPresent(asked -> {
            // PRESENT: the one that runs
            Usage month = limits.limiter().usage(asked.policy(), asked.key(), PREVIOUS);
            long billed = Math.max(0, month.used() - asked.policy().limit());
            System.out.println(customer + ", to " + month.ends() + ": " + billed); // your invoice
        });
    }
}
