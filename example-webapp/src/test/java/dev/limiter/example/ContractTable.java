package dev.limiter.example;

import dev.limiter.testkit.guide.Guide;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The table of a recipe, as its page creates it, in a database in memory. The database ends with
 * its last connection, so this class keeps one open.
 */
final class ContractTable implements AutoCloseable {
    private static final String ADDRESS = "jdbc:h2:mem:contracts";

    private final Connection connection;

    ContractTable() throws SQLException {
        System.setProperty("contracts.database", ADDRESS);
        connection = DriverManager.getConnection(ADDRESS);
        execute("SET LOCK_TIMEOUT 20000"); // a change of the table waits for queries
        execute("DROP ALL OBJECTS");
        execute(Guide.block("text", "CREATE TABLE contract").text());
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
