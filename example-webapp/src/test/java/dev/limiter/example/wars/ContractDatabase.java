package dev.limiter.example.wars;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** The producer that a recipe asks for. The test reaches the same database by its address. */
@ApplicationScoped
public class ContractDatabase {

    @Produces
    @ApplicationScoped
    DataSource contracts() {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL(System.getProperty("contracts.database"));
        return database;
    }
}
