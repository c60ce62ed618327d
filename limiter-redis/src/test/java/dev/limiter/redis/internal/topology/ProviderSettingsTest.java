package dev.limiter.redis.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.redis.internal.limiter.RedisRateLimiterProvider;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Signals;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Property;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;

/**
 * Every setting that is read, at both of its ends and beyond them, and every address that can be
 * written.
 */
@Tag("proof")
class ProviderSettingsTest {
    private final RedisRateLimiterProvider provider = new RedisRateLimiterProvider();

    private static Map<String, String> settings(String name, String value) {
        Map<String, String> settings = new HashMap<>(Map.of("limiter.redis.uri", "redis://localhost:1"));
        settings.put(name, value);
        return settings;
    }

    private void check(Map<String, String> settings) {
        provider.check(name -> Optional.ofNullable(settings.get(name)));
    }

    @ParameterizedTest
    @CsvSource({
        "limiter.redis.deadline, 3ms",
        "limiter.redis.deadline, 1m",
        "limiter.redis.max-round-trips, 1",
        "limiter.redis.max-round-trips, 10000",
        "limiter.cache-rejections, false",
        "limiter.on-store-failure, open",
        "limiter.expected-instances, 1",
        "limiter.key-secret, anything",
    })
    void whatIsInItsRangeIsTaken(String name, String value) {
        check(settings(name, value));
    }

    @ParameterizedTest
    @CsvSource({
        "limiter.redis.uri, localhost",
        "limiter.redis.deadline, 2ms",
        "limiter.redis.deadline, 60001ms",
        "limiter.redis.deadline, soon",
        "limiter.redis.max-round-trips, 0",
        "limiter.redis.max-round-trips, 10001",
        "limiter.redis.max-round-trips, two",
        "limiter.cache-rejections, sometimes",
        "limiter.on-store-failure, CONFIGURED",
        "limiter.expected-instances, 0",
    })
    void whatIsNotIsRefusedByItsNameBeforeAnythingIsOpened(String name, String value) {
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> check(settings(name, value)))
                .withMessageStartingWith(name + ": ");
    }

    /** Otherwise tests without Redis would pass, and production would be refused. */
    @ParameterizedTest
    @CsvSource({
        "limiter.redis.deadline, 150",
        "limiter.redis.max-round-trips, none",
        "limiter.cache-rejections, sometimes",
        "limiter.on-store-failure, OPNE",
        "limiter.expected-instances, 0",
    })
    void itIsRefusedWithoutAnAddressToo(String name, String value) {
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> check(Map.of(name, value)))
                .withMessageStartingWith(name + ": ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"limiter.redis.trust-store", "limiter.redis.key-store"})
    void certificatesAreReadForTlsAndRefusedWithoutIt(String name) {
        Map<String, String> settings = settings(name, "nowhere.p12");
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> check(settings))
                .withMessage(name + ": is for TLS, and limiter.redis.uri asks for none; begin the address with"
                        + " \"rediss\", or remove this");
        settings.put("limiter.redis.uri", "rediss://localhost:1");
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> check(settings))
                .withMessageStartingWith(name + ": \"nowhere.p12\" cannot be read as a store of ")
                .withMessageEndingWith("there is no such file");
    }

    @Test
    void withoutAnAddressItMakesNoLimiter() {
        assertThat(provider.create("shop", name -> Optional.empty(), Signals.NONE))
                .isEmpty();
    }

    private record Written(
            String scheme, List<String> hosts, List<Integer> ports, String user, String password, int database) {
        static Written draw(Dice dice) {
            String scheme = dice.oneOf(
                    "redis", "rediss", "redis-cluster", "rediss-cluster", "redis-sentinel", "rediss-sentinel");
            List<String> hosts = dice.list(1, 3, some -> some.oneOf("a", "redis-1.example", "10.0.0.7", "[fe80::1]"));
            List<Integer> ports =
                    dice.list(hosts.size(), hosts.size(), some -> (int) some.number(0, 65_535)); // 0 is not written
            boolean user = dice.chance(50);
            return new Written(
                    scheme,
                    hosts,
                    ports,
                    user ? dice.oneOf("joe", "j%6Fe", "j+e", "") : null,
                    user ? dice.oneOf("secret", "s%40%3A%2F%23t", "a+b", "p:w", "%C3%BC", "") : null,
                    scheme.endsWith("-cluster") || hosts.size() > 1 && !scheme.endsWith("-sentinel")
                            ? 0
                            : (int) dice.number(0, 999_999_999));
        }

        boolean isSentinel() {
            return scheme.endsWith("-sentinel");
        }

        String text() {
            StringBuilder text = new StringBuilder(scheme + "://");
            if (user != null) {
                text.append(user).append(':').append(password).append('@');
            }
            for (int i = 0; i < hosts.size(); i++) {
                text.append(i == 0 ? "" : ",").append(hosts.get(i));
                text.append(ports.get(i) == 0 ? "" : ":" + ports.get(i));
            }
            return text + (database == 0 ? "" : "/" + database) + (isSentinel() ? "#the master" : "");
        }

        RedisUri meant() {
            int usual = isSentinel() ? 26_379 : 6_379;
            List<HostAndPort> servers = new ArrayList<>();
            for (int i = 0; i < hosts.size(); i++) {
                servers.add(new HostAndPort(hosts.get(i), ports.get(i) == 0 ? usual : ports.get(i)));
            }
            boolean cluster = scheme.endsWith("-cluster") || !isSentinel() && hosts.size() > 1;
            return new RedisUri(
                    isSentinel() ? RedisUri.Kind.SENTINEL : cluster ? RedisUri.Kind.CLUSTER : RedisUri.Kind.SINGLE,
                    servers,
                    isSentinel() ? "the master" : null,
                    plain(user),
                    plain(password),
                    null,
                    null,
                    database,
                    scheme.startsWith("rediss"));
        }

        private static String plain(String part) {
            return part == null || part.isEmpty()
                    ? null
                    : part.replace("%6F", "o")
                            .replace("%40", "@")
                            .replace("%3A", ":")
                            .replace("%2F", "/")
                            .replace("%23", "#")
                            .replace("%C3%BC", "ü");
        }
    }

    /** And a connection is opened as it says. */
    @Test
    void anyAddressIsReadAsItIsMeant() {
        Property.forAll(Written::draw).tries(20_000).check(written -> {
            RedisUri read = RedisUri.parse(written.text());
            assertThat(read).isEqualTo(written.meant());
            String servers = read.hosts().stream().map(HostAndPort::toString).collect(Collectors.joining(","));
            assertThat(read.name()).isEqualTo(written.isSentinel() ? "the master of " + servers : servers);
            assertThat(read).hasToString(read.name());
            Timeouts timeouts = Timeouts.within(Duration.ofMillis(300));
            JedisClientConfig client = ClientConfig.of(read, timeouts).build();
            assertThat(client.getUser()).isEqualTo(read.user());
            assertThat(client.getPassword()).isEqualTo(read.password());
            assertThat(client.getDatabase()).isEqualTo(read.database());
            assertThat(client.getConnectionTimeoutMillis()).isEqualTo(timeouts.connectMillis());
            assertThat(client.getSocketTimeoutMillis()).isEqualTo(2 * timeouts.deadlineMillis());
            assertThat(client.getSslOptions() != null).isEqualTo(read.tls());
        });
    }
}
