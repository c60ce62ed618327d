import dev.limiter.jaxrs.QuotaSource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Reads the quota of each customer from a table. */
@ApplicationScoped
@Named("contracts")
public class Contracts implements QuotaSource {
    @Inject
    DataSource database; // of a producer of yours

    @Override
    public Quota of(Partition partition) {
        try (Connection connection = database.getConnection();
                PreparedStatement query = connection.prepareStatement(
                        "SELECT units, burst, unlimited FROM contract WHERE customer = ?")) {
            query.setQueryTimeout(2); // seconds
            query.setString(1, partition.value("attribute:client"));
            try (ResultSet contract = query.executeQuery()) {
                return contract.next() ? quota(contract) : null; // null: no contract
            }
        } catch (SQLException failed) {
            throw new IllegalStateException(failed); // the last known quota holds
        }
    }

    private static Quota quota(ResultSet contract) throws SQLException {
        return contract.getBoolean("unlimited")
                ? Quota.ofUnlimited()
                : Quota.of(contract.getLong("units"), contract.getLong("burst")); // NULL is 0
    }
}
