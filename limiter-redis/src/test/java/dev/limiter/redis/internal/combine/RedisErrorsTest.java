package dev.limiter.redis.internal.combine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.limiter.redis.ErrorSituation;
import dev.limiter.redis.RecordedErrors;
import dev.limiter.spi.StoreError;
import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.ServerVersion;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.exceptions.JedisBusyException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * The limiter knows each error reply of the supported servers, and the server under test sends
 * no other.
 */
@Tag("store")
class RedisErrorsTest {
    private static final RecordedErrors RECORDED = RecordedErrors.read();

    private static String store;

    @BeforeAll
    static void askTheServer() {
        try (RedisServer redis = RedisServer.start()) {
            store = ServerVersion.of(redis).store();
        }
    }

    static Stream<Arguments> recorded() {
        return Arrays.stream(ErrorSituation.values())
                .flatMap(situation -> RECORDED.forms(situation).keySet().stream()
                        .map(form -> arguments(situation.kind(), RecordedErrors.words(form))));
    }

    private static StoreError kind(String words) {
        return RedisErrors.of(new JedisDataException(words));
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void aRecordedErrorIsOfItsKind(StoreError kind, String words) {
        assertThat(kind(words)).isEqualTo(kind);
    }

    /** A server that the table does not know may use the words of any other. */
    @ParameterizedTest
    @EnumSource
    void theServerUsesRecordedWordsOnly(ErrorSituation situation) {
        List<String> provoked = situation.provoke();
        assertThat(provoked)
                .allSatisfy(words -> assertThat(kind(words)).as(words).isEqualTo(situation.kind()));
        Map<String, Set<String>> forms = RECORDED.forms(situation);
        boolean isKnown = RECORDED.servers().contains(store);
        List<String> missing = provoked.stream()
                .map(RecordedErrors::form)
                .distinct()
                .filter(form ->
                        !forms.containsKey(form) || isKnown && !forms.get(form).contains(store))
                .toList();
        assertThat(missing)
                .as("[%s]: words of %s that store-errors.txt lacks", situation, store)
                .isEmpty();
    }

    /**
     * Names of commands and users, and texts of scripts, stand behind the code of a reply or
     * behind the server's own words.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ERR unknown command 'READONLY', with args beginning with: 'OOM' 'NOPERM' ",
                "ERR unknown command `-READONLY`, with args beginning with: `can't run this command`, ",
                "ERR user_script:1: ACL failure in script: x script: 0123, on @user_script:1.",
                "ERR Error compiling script (new function): user_script:1: -OOM command not allowed",
                "WRONGTYPE MISCONF READONLY",
                "READONLYX x",
                "READ ONLY"
            })
    void wordsOfCallersDecideNothing(String words) {
        assertThat(kind(words)).isEqualTo(StoreError.OTHER);
    }

    /** Each of the words that mean something, where a caller may have written them. */
    @ParameterizedTest
    @MethodSource("recorded")
    void recordedWordsOfCallersDecideNothing(StoreError kind, String words) {
        for (String before : List.of("ERR unknown command '", "WRONGTYPE ", "ERR value is not an integer: ", "X")) {
            assertThat(kind(before + words))
                    .as("%s, of %s", before + words, kind)
                    .isEqualTo(StoreError.OTHER);
        }
    }

    /** Jedis goes by the first letters. */
    @Test
    void aConsumerGroupThatExistsDoesNotMakeAServerBusy() {
        assertThat(RedisErrors.of(new JedisBusyException("BUSYGROUP Consumer Group name already exists")))
                .isEqualTo(StoreError.OTHER);
    }

    /** A node of a cluster counts the connections of the others, too, and says so. */
    @Test
    void aNodeOfAClusterThatIsFullHasTooManyClients() {
        assertThat(kind("ERR max number of clients + cluster connections reached"))
                .isEqualTo(StoreError.NOT_CONNECTED);
    }

    /**
     * A server on this machine never says so: protected mode concerns clients of other machines.
     */
    @Test
    void protectedModeIsAMissingPermission() {
        assertThat(kind("DENIED Redis is running in protected mode because protected mode is enabled"))
                .isEqualTo(StoreError.NOT_PERMITTED);
    }

    @Test
    void anUnknownErrorWhileConnectingMeansThatThereIsNoConnection() {
        JedisDataException unknown = new JedisDataException("ERR AUTH <password> called without any password");
        assertThat(RedisErrors.of(unknown)).isEqualTo(StoreError.OTHER);
        assertThat(RedisErrors.ofConnecting(unknown)).isEqualTo(StoreError.NOT_CONNECTED);
    }

    @Test
    void anErrorWithoutWordsIsOther() {
        assertThat(kind(null)).isEqualTo(StoreError.OTHER);
        assertThat(kind("")).isEqualTo(StoreError.OTHER);
    }
}
