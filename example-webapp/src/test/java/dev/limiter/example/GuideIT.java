package dev.limiter.example;

import static dev.limiter.example.Http.remaining;
import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.limiter.testkit.guide.Guide;
import io.restassured.response.Response;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The Java of the README and the guide, compiled as it stands there; what belongs into a WAR is
 * deployed, page by page, and asked.
 */
class GuideIT {
    /** Settings that replace those of a page, or are added to them. */
    private static final Map<String, Map<String, String>> FURTHER_SETTINGS = Map.of(
            "docs/recipes.md",
            Map.of(
                    "limiter.policy.owner.limit", "1",
                    "limiter.policy.owner.window", "1h",
                    "limiter.quota.cache", "200ms"));

    /** A bean that a page leaves to its reader, and a caller. */
    private static final Map<String, List<String>> FURTHER_CLASSES = Map.of(
            "docs/recipes.md",
            List.of(
                    "ContractDatabase",
                    "LeavingCaller",
                    "LeavingCaller$Unread",
                    "LeavingCaller$ClosedStream",
                    "RecordReader"));

    /** The API keys of two customers. */
    private static final String ACME = "k-7f3a";

    private static final String ZOO = "k-91c2";

    @TempDir
    private static Path directory;

    private static OwnJetty jetty;
    private static final Map<String, String> DEPLOYED = new HashMap<>();

    @BeforeAll
    static void start() throws Exception {
        SharedRedis.configure();
        jetty = new OwnJetty(directory);
    }

    @AfterAll
    static void stop() {
        jetty.close();
    }

    @BeforeEach
    void emptyRedis() {
        SharedRedis.empty();
    }

    /** All but that of calls to partners, which OutboundGuideTest compiles and runs. */
    static List<String> pages() {
        return Guide.pages().stream()
                .filter(page -> !page.equals("docs/outbound.md"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void allJavaCompilesAndWhatBelongsIntoAWarDeploys(String page) throws Exception {
        Examples examples = new Examples(page, directory.resolve("once"));
        if (examples.all().stream().anyMatch(Examples.Example::isDeployed)) {
            application(page);
        } else if (!examples.all().isEmpty()) {
            examples.compile();
        }
    }

    @Test
    void theFirstExampleIsShortAndDoesWhatItSays() throws Exception {
        assertThat(Guide.block("java", "class AnimalResource {\n    @GET\n")
                        .text()
                        .lines())
                .hasSizeLessThanOrEqualTo(12);
        Response first = get(application("README.md") + "animals");
        assertThat(first.asString()).isEqualTo("lion, tiger");
        assertThat(remaining(first, "AnimalResource.all")).isEqualTo(9);
    }

    @Test
    void aRefusedBuyerUsesUpNothingOfTheShow() throws Exception {
        String tickets = application("docs/composing-limits.md") + "shop/tickets/";
        Response first = post(tickets + "circus");
        assertThat(first.asString()).isEqualTo("a ticket for circus");
        assertThat(remaining(first, "show")).isEqualTo(99);
        Response second = post(tickets + "circus");
        assertThat(second.statusCode()).isEqualTo(429);
        assertThat(remaining(second, "show")).isEqualTo(99);
    }

    @Test
    void theFirstRecipesCountEachRequest() throws Exception {
        assertThat(remaining(get(recipe("@GET @Path(\"search\")") + "search"), "search"))
                .isEqualTo(19);
        assertThat(remaining(get(recipe("@GET @Path(\"inbox\")") + "inbox"), "inbox"))
                .isEqualTo(29);
        assertThat(get(recipe("@GET @Path(\"report\")") + "report").header("RateLimit"))
                .contains("reports");
        assertThat(post(recipe("@POST @Path(\"parcels\")") + "parcels").header("RateLimit"))
                .contains("carrier");
    }

    private static String recipe(String words) throws Exception {
        return method("docs/recipes.md", words);
    }

    @Test
    void costsAndKeysThatOnlyTheMethodKnowsCount() throws Exception {
        String rows = application("docs/recipes.md") + "rows";
        String first = get(rows + "?owner=zoo").asString();
        assertThat(first).matches("\\[as many, as there are], \\d+ left");
        assertThat(Integer.parseInt(first.replaceAll("\\D+", "")))
                .as("20 and two rows are spent, and what came back meanwhile")
                .isBetween(978, 999);
        Response second = get(rows + "?owner=zoo&size=100");
        assertThat(second.statusCode()).isEqualTo(429);
        assertThat(second.jsonPath().getList("violated-policies")).containsExactly("owner");
        assertThat(remaining(second, "rows"))
                .as("two rows and a hundred later, and what came back meanwhile")
                .isBetween(878, 999);
    }

    @Test
    void onlyFailuresOfALogInByJsonCount() throws Exception {
        for (int i = 0; i < 10; i++) {
            assertThat(logIn("ann", "correct horse").statusCode()).isEqualTo(200);
        }
        for (int i = 0; i < 5; i++) {
            assertThat(logIn(" Ann", "guess").statusCode()).isEqualTo(401);
        }
        Response sixth = logIn("ann", "correct horse");
        assertThat(sixth.statusCode()).isEqualTo(429);
        assertThat(sixth.jsonPath().getList("violated-policies")).containsExactly("session-account");
        assertThat(logIn("bob", "correct horse").statusCode()).isEqualTo(200);
    }

    private static Response logIn(String name, String password) throws Exception {
        return given().contentType("application/json")
                .body("{\"name\": \"" + name + "\", \"password\": \"" + password + "\"}")
                .post(application("docs/recipes.md") + "sessions");
    }

    @Test
    void guessesOfAPasswordAreStoppedAndLockNoCallerOut() throws Exception {
        String login =
                method("docs/recipes.md", "@POST @Path(\"login\")\n@RateLimited(name = \"login-pair\"") + "login";
        for (int i = 0; i < 5; i++) {
            assertThat(logIn(login, "Alice", "guess")).isEqualTo(401);
        }
        assertThat(logIn(login, "  ALICE", "correct horse")).isEqualTo(429);
        for (int i = 0; i < 10; i++) {
            assertThat(logIn(login, "bob", "correct horse"))
                    .as("what is no failure")
                    .isEqualTo(200);
        }
    }

    @Test
    void aRightPasswordForgetsTheWrongOnesAndAChallengeOpensAClosedAccount() throws Exception {
        String account = application("docs/recipes.md") + "account/";
        assertThat(logIn(account + "login", "dora", "guess")).isEqualTo(401);
        for (int i = 0; i < 9; i++) {
            assertThat(logIn(account + "login", "carol", "guess")).isEqualTo(401);
        }
        assertThat(logIn(account + "login", "carol", "correct horse")).isEqualTo(200);
        for (int i = 0; i < 10; i++) {
            assertThat(logIn(account + "login", "Carol", "guess")).isEqualTo(401);
        }
        assertThat(logIn(account + "login", "carol", "correct horse")).isEqualTo(429);
        assertThat(solve(account, "41")).isEqualTo(403);
        assertThat(logIn(account + "login", "carol", "correct horse")).isEqualTo(429);
        assertThat(solve(account, "42")).isEqualTo(200);
        assertThat(logIn(account + "login", "carol", "correct horse")).isEqualTo(200);
        assertThat(solve(account, "42")).isEqualTo(200);
        assertThat(solve(account, "42")).as("three a day").isEqualTo(429);
    }

    private static int solve(String account, String answer) {
        return given().formParam("username", "carol")
                .formParam("answer", answer)
                .post(account + "challenge")
                .statusCode();
    }

    /** A first answer may be late on a slow machine, so the test waits for the quota. */
    @Test
    void quotaOfAContractComesFromTheTableAndAnUpdateIsInForceAfterTheCacheTime() throws Exception {
        String orders = method("docs/recipes.md", "@GET @Path(\"contract/orders\")") + "contract/orders";
        try (ContractTable table = new ContractTable()) {
            table.execute("INSERT INTO contract VALUES ('acme', 100, 4, FALSE), ('zoo', 250, NULL, FALSE)");
            awaitContract(orders, ACME, "q=4;w=3456");
            awaitContract(orders, ZOO, "q=5;w=1728");
            SharedRedis.empty();
            assertThat(admitted(orders, ACME)).isEqualTo(4);
            assertThat(admitted(orders, ZOO)).isEqualTo(5);

            table.execute("UPDATE contract SET units = 250, burst = 10 WHERE customer = 'acme'");
            awaitContract(orders, ACME, "q=10;w=3456");
            SharedRedis.empty();
            assertThat(admitted(orders, ACME)).isEqualTo(10);

            table.execute("ALTER TABLE contract RENAME TO away");
            await().during(Duration.ofSeconds(1)).until(() -> told(orders, ACME), "q=10;w=3456"::equals);
            table.execute("ALTER TABLE away RENAME TO contract");

            table.execute("UPDATE contract SET units = NULL, burst = NULL, unlimited = TRUE WHERE customer = 'acme'");
            awaitContract(orders, ACME, "none");
            assertThat(order(orders, ACME).statusCode()).isEqualTo(200);
            table.execute("DELETE FROM contract WHERE customer = 'acme'");
            awaitContract(orders, ACME, "q=5;w=43200");
        }
    }

    /** The limiter calls the bean for a customer again only when the call before has ended. */
    @Test
    @Tag("faults")
    void aSlowTableHoldsUpNoRequestAndItsQueryEnds() throws Exception {
        String orders = method("docs/recipes.md", "@GET @Path(\"contract/orders\")") + "contract/orders";
        try (ContractTable table = new ContractTable()) {
            table.execute("INSERT INTO contract VALUES ('acme', 100, 4, FALSE)");
            awaitContract(orders, ACME, "q=4;w=3456");
            table.execute("ALTER TABLE contract RENAME TO away");
            table.execute("CREATE VIEW contract AS SELECT CAST(X AS VARCHAR) AS customer, X AS units, X AS burst,"
                    + " FALSE AS unlimited FROM SYSTEM_RANGE(1, 1000000000000)");
            await().during(Duration.ofSeconds(3)).until(() -> told(orders, ACME), "q=4;w=3456"::equals);
            table.execute("DROP VIEW contract");
            table.execute("ALTER TABLE away RENAME TO contract");
            table.execute("UPDATE contract SET burst = 10");
            awaitContract(orders, ACME, "q=10;w=8640");
        }
    }

    @Test
    void guessesOfAnApiKeyAreStoppedAndLockNoCustomerOut() throws Exception {
        String orders = method("docs/recipes.md", "@GET @Path(\"orders\")") + "orders";
        Response gold = given().header("X-Api-Key", "k-7f3a").get(orders);
        assertThat(gold.statusCode()).isEqualTo(200);
        assertThat(remaining(gold, "orders")).isEqualTo(5999);
        for (int i = 0; i < 20; i++) {
            assertThat(given().header("X-Api-Key", "guess-" + i).get(orders).statusCode())
                    .isEqualTo(401);
        }
        assertThat(given().header("X-Api-Key", "guess-20").get(orders).statusCode())
                .isEqualTo(429);
        assertThat(given().header("X-Api-Key", "k-7f3a").get(orders).statusCode())
                .isEqualTo(200);
    }

    /** The bucket refills 28 kB in each second. */
    @Test
    void anUploadCostsWhatWasReadWhateverItAnnounces() throws Exception {
        String pictures = application("docs/recipes.md") + "pictures";
        Response announced =
                given().contentType("image/png").body(new byte[40_000]).put(pictures);
        assertThat(announced.asString()).isEqualTo("40000 bytes");
        assertThat(remaining(announced, "upload")).isBetween(99_960_000, 99_999_999);
        assertThat(inChunks(pictures, 60_000)).isEqualTo(200);
        assertThat(inChunks(pictures, 10_005_000)).isEqualTo(413);
        Response after = given().contentType("image/png").body(new byte[10]).put(pictures);
        assertThat(remaining(after, "upload")).isBetween(89_800_000, 97_000_000);
    }

    private static int inChunks(String url, int length) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .PUT(HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[length])))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void whatIsBeyondTheIncludedUnitsIsServedAndCounted() throws Exception {
        String reports = application("docs/recipes.md") + "reports";
        for (int used = 1; used <= 4; used++) {
            Response report = get(reports);
            assertThat(report.statusCode()).isEqualTo(200);
            assertThat(report.header("X-Reports-Used")).isEqualTo(String.valueOf(used));
            assertThat(report.header("X-Billed")).isEqualTo(String.valueOf(used > 2));
            assertThat(remaining(report, "included")).isEqualTo(Math.max(0, 2 - used));
        }
    }

    /**
     * The answer is longer than what Jersey keeps back, so it cannot be written. Question and
     * answer are 18,000 tokens, of which 8,000 are debt: 48 s. The estimate alone would be none.
     */
    @Test
    void aCallerThatLeavesPaysForTheAnswer() throws Exception {
        String completions = application("docs/recipes.md") + "completions";
        assertThat(given().body("a".repeat(10)).post(completions).asString()).isEqualTo("A".repeat(10));
        given().header("Leaves", "early").body("a".repeat(9_000)).post(completions);
        Response next = given().body("a".repeat(10)).post(completions);
        assertThat(next.statusCode()).isEqualTo(429);
        assertThat(Integer.parseInt(next.header("Retry-After"))).isGreaterThan(20);
    }

    @Test
    void aTeamTakesOfItsShareFirstAndThenOfThePool() throws Exception {
        String recipes = application("docs/recipes.md");
        for (int left = 1; left >= 0; left--) {
            assertThat(remaining(post(recipes + "models"), "share")).isEqualTo(left);
        }
        Response pooled = post(recipes + "models");
        assertThat(pooled.asString()).isEqualTo("answer");
        assertThat(remaining(pooled, "pool")).isZero();
        Response rejected = post(recipes + "models");
        assertThat(rejected.statusCode()).isEqualTo(429);
        assertThat(rejected.jsonPath().getList("violated-policies")).containsExactly("pool");
        assertThat(remaining(post(recipe("@POST @Path(\"jobs\")") + "jobs"), "jobs"))
                .isEqualTo(99);
    }

    @Test
    void limitsOfApplicationClassAndMethodAddUp() throws Exception {
        String shop = application("docs/composing-limits.md") + "shop/";
        assertThat(policies(post(shop + "tickets/circus"))).containsExactly("flood", "api", "buyer", "show");
        assertThat(policies(get(shop + "tickets"))).containsExactly("flood", "api");
        assertThat(policies(get(shop + "tickets/health"))).containsExactly("flood");
        assertThat(policies(get(shop + "nothing/here"))).containsExactly("flood");
        assertThat(policies(given().formParam("phone", "1").post(shop + "codes")))
                .containsExactly("flood", "codes-pair", "codes-address");
        assertThat(policies(get(application("docs/composing-limits.md") + "export")))
                .containsExactly("export");
    }

    @Test
    void aResolverNamesTheTenant() throws Exception {
        String reports = application("docs/keys.md") + "reports";
        assertThat(remaining(given().header("Host", "acme.example.com").get(reports), "tenant"))
                .isEqualTo(599);
        assertThat(remaining(given().header("Host", "other.example.com").get(reports), "tenant"))
                .isEqualTo(599);
    }

    @Test
    void aServicesOwnMapperShapesTheRejection() throws Exception {
        String gate = application("docs/http-fields.md") + "gate";
        assertThat(get(gate).asString()).isEqualTo("through");
        Response rejected = get(gate);
        assertThat(rejected.statusCode()).isEqualTo(429);
        assertThat(rejected.asString())
                .isEqualTo("slow down, please: come again in " + rejected.header("Retry-After") + " s");
        assertThat(rejected.header("Retry-After")).isNotNull();
        assertThat(remaining(rejected, "gate")).isZero();
    }

    /** In a class loader of the WAR's libraries, as they have no place on this class path. */
    @Test
    void aQueueIsFullUntilAConsumerDrainsIt() throws Exception {
        String prints = application("docs/queues.md") + "prints";
        String id = given().body("page 1").post(prints).asString();
        assertThat(get(prints + "/" + id).asString()).isEqualTo("WAITING");
        for (int i = 2; i <= 10; i++) {
            assertThat(given().body("page " + i).post(prints).statusCode()).isEqualTo(200);
        }
        assertThat(given().body("page 11").post(prints).statusCode()).isEqualTo(429);
        assertThat(post(prints + "/next").asString()).isEqualTo("page 1 printed");
        assertThat(get(prints + "/" + id).asString()).isEqualTo("DONE");
        assertThat(given().body("page 11").post(prints).statusCode()).isEqualTo(200);
    }

    /** A key {@code {user|ip}} has no user if the caller has not logged in. */
    @Test
    void beanOfQuotasAnswersForACallerWithoutAUser() throws Exception {
        try (URLClassLoader loader = classesOf("docs/configuration.md")) {
            Object contracts = loader.loadClass("Contracts").getConstructor().newInstance();
            Constructor<?> partition =
                    loader.loadClass("dev.limiter.jaxrs.QuotaSource$Partition").getConstructor(String.class, Map.class);
            Method of = contracts.getClass().getMethod("of", partition.getDeclaringClass());
            assertThat(of.invoke(contracts, partition.newInstance("plan", Map.of("user", "acme"))))
                    .hasToString("Quota[limit=250, burst=0, unlimited=false]");
            assertThat(of.invoke(contracts, partition.newInstance("plan", Map.of("ip", "192.0.2.1"))))
                    .isNull();
        }
    }

    @Test
    void testsOfTheGuideRunAndPass() throws Exception {
        int run = 0;
        try (URLClassLoader loader = classesOf("docs/testing-your-limits.md")) {
            Class<?> type = loader.loadClass("BuyerLimitTest");
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            for (Method method : type.getDeclaredMethods()) {
                if (method.isAnnotationPresent(Test.class)) {
                    method.setAccessible(true);
                    method.invoke(constructor.newInstance());
                    run++;
                }
            }
        }
        assertThat(run).isEqualTo(2);
    }

    /** What a page compiles to, with the libraries of the WAR. */
    private static URLClassLoader classesOf(String page) throws Exception {
        List<URL> classPath = new ArrayList<>();
        for (File jar : new File(System.getProperty("exploded.war"), "WEB-INF/lib").listFiles()) {
            classPath.add(jar.toURI().toURL());
        }
        File classes =
                new Examples(page, directory.resolve("run")).compile().get(0).getParentFile();
        classPath.add(classes.toURI().toURL());
        return new URLClassLoader(classPath.toArray(URL[]::new), GuideIT.class.getClassLoader());
    }

    private static Response order(String orders, String apiKey) {
        return given().header("X-Api-Key", apiKey).get(orders);
    }

    /** The figures of the only limit, as the client is told; "none" if it does not count. */
    private static String told(String orders, String apiKey) {
        String field = order(orders, apiKey).header("RateLimit-Policy");
        return field == null ? "none" : field.replace("\"contract\";", "");
    }

    private static void awaitContract(String orders, String apiKey, String quota) {
        await().until(() -> told(orders, apiKey), quota::equals);
    }

    /** How many orders are taken until one is rejected. */
    private static int admitted(String orders, String apiKey) {
        int admitted = 0;
        while (order(orders, apiKey).statusCode() == 200) {
            admitted++;
        }
        return admitted;
    }

    private static int logIn(String login, String name, String password) {
        return given().formParam("username", name)
                .formParam("password", password)
                .post(login)
                .statusCode();
    }

    /** The names in the RateLimit-Policy field. */
    private static List<String> policies(Response response) {
        return Arrays.stream(response.header("RateLimit-Policy").split(", "))
                .map(item -> item.replaceAll("^\"|\";.*", ""))
                .toList();
    }

    /** The address of a block's method, up to its own path. */
    private static String method(String page, String words) throws Exception {
        return application(page)
                + new Examples(page, directory)
                        .all().stream()
                                .filter(example -> example.source().contains(words))
                                .map(Examples.Example::type)
                                .findFirst()
                                .orElseThrow()
                + '/';
    }

    /** The address of a page's application; deployed at the first call. */
    private static String application(String page) throws Exception {
        if (!DEPLOYED.containsKey(page)) {
            DEPLOYED.put(page, jetty.url(jetty.deploy(war(page))));
        }
        return DEPLOYED.get(page);
    }

    private static WebArchive war(String page) throws Exception {
        Examples examples = new Examples(page, directory);
        String name = page.replaceAll(".*/|\\.md", "");
        boolean hasApplication = examples.all().stream().anyMatch(Examples.Example::isApplication);
        String[] classes = Stream.concat(
                        Stream.of("DeskApplication").filter(each -> !hasApplication),
                        FURTHER_CLASSES.getOrDefault(page, List.of()).stream())
                .toArray(String[]::new);
        WebArchive war = Wars.with(settings(page), name, classes);
        for (File file : examples.deployed()) {
            war.addAsWebInfResource(file, "classes/" + file.getName());
        }
        return war;
    }

    /** The settings of policies in the page itself. */
    private static String settings(String page) {
        Map<String, String> settings = new TreeMap<>();
        for (Guide.Block block : Guide.blocksOf(page)) {
            block.text()
                    .lines()
                    .filter(line -> block.kind().equals("properties") && line.startsWith("limiter.policy."))
                    .map(line -> line.split("=", 2))
                    .forEach(setting -> settings.put(setting[0], setting[1]));
        }
        settings.putAll(FURTHER_SETTINGS.getOrDefault(page, Map.of()));
        return settings.entrySet().stream()
                .map(setting -> setting.getKey() + '=' + setting.getValue() + '\n')
                .collect(Collectors.joining());
    }
}
