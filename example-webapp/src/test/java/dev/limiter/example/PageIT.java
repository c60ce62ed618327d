package dev.limiter.example;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.deque.html.axecore.results.Results;
import com.deque.html.axecore.results.Rule;
import com.deque.html.axecore.selenium.AxeBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ConditionFactory;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.support.ui.Select;

/** The page in a real Chromium: mouse, keyboard, screen reader, light and dark, a phone. */
class PageIT {
    private static final Path PICTURES =
            Path.of(System.getProperty("exploded.war")).resolveSibling(".");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private static Path directory;

    private static OwnJetty jetty;
    private static Browser browser;
    private static String zoo;
    private static String otherNode;

    @BeforeAll
    static void open() throws Exception {
        boolean browserIsThere = Browser.isThere();
        if (!browserIsThere) {
            System.out.println(
                    "PageIT: NOT RUN, the page is untested: no chromium with chromedriver on this machine (Debian: chromium chromium-driver)");
        }
        Assumptions.assumeTrue(browserIsThere, "no chromium with chromedriver");
        SharedRedis.configure();
        jetty = new OwnJetty(directory);
        zoo = deploy("page");
        otherNode = deploy("page-two");
        browser = Browser.open();
    }

    private static String deploy(String name) throws Exception {
        WebAppContext application = jetty.deploy(Wars.zoo(name));
        return jetty.url(application);
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.close();
        }
        if (jetty != null) {
            jetty.close();
        }
    }

    @BeforeEach
    void look() {
        SharedRedis.empty();
        browser.size(1280, 900);
        browser.prefer("prefers-color-scheme", "light");
        browser.driver().get(zoo);
        awaitText("source", "Recorded in Redis");
        eventually().until(() -> browser.is("document.querySelector('.rule').textContent !== ''"));
        browser.complaints();
    }

    @Test
    void aBurstIsSeenOnTheTimeAxisAndInTheFields() {
        choose("sliding-log");
        type("burst-size", "15");
        click("burst");
        awaitText("news", "Sliding log: 10 admitted, 5 rejected.");
        eventually().until(() -> chart("sliding-log").endsWith("10 admitted, 5 rejected"));
        assertThat(browser.number(marksDrawn("sliding-log", "admitted"))).isEqualTo(10);
        assertThat(browser.number(marksDrawn("sliding-log", "rejected"))).isEqualTo(5);
        assertThat(chart("gcra")).endsWith("no marks");

        assertThat(text("#raw"))
                .contains("ratelimit-policy: \"sliding-log\";q=10;w=10", "ratelimit: \"sliding-log\";r=");
        assertThat(text("[data-strategy=sliding-log] .remaining")).isEqualTo("0 of 10");
        assertThat(text("[data-strategy=sliding-log] .window")).isEqualTo("10 s");
        assertThat(text("[data-strategy=sliding-log] .reset")).matches("[1-9] s");
        click("one");
        eventually().until(() -> text("#body").contains("\"violated-policies\""));
        assertThat(text("#raw")).contains("HTTP 429", "retry-after: ");
        assertThat(text("#readings tbody")).matches("sliding-log 10 10 s 0 [1-9] s");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void aLeakyBucketShowsDelayedRequests() {
        choose("leaky-bucket");
        type("burst-size", "5");
        click("burst");
        eventually().until(() -> text("#news").matches(".*Leaky bucket: .*delayed.*"));
        eventually().until(() -> browser.number(marksDrawn("leaky-bucket", "delayed")) > 0);
    }

    @Test
    void strategiesRunSideBySideAtASteadyRate() {
        click("all");
        type("rate", "4");
        click("steady");
        eventually()
                .until(() -> browser.number(
                                "return [...document.querySelectorAll('.chart')].filter(chart => /admitted/.test(chart.ariaLabel)).length")
                        == 9);
        assertThat(text("#steady")).isEqualTo("Stop sending");
        click("steady");
        awaitText("news", "Stopped.");
        assertThat(text("#news")).contains("Fixed window: ", "Concurrency: ");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void whatAnotherNodeAdmitsIsSeenHere() {
        given().auth().preemptive().basic("keeper", "keeper").get(otherNode + "api/strategies/gcra");
        eventually().until(() -> chart("gcra").endsWith("1 admitted"));
        click("mine");
        eventually().until(() -> chart("gcra").endsWith("no marks"));
    }

    @Test
    void aPersonWithAKeyboardAndAScreenReaderGetsByWithoutAnythingElse() {
        focusFirst();
        assertThat(active()).isEqualTo("A:Skip to the controls");
        press(Keys.ENTER);
        tabTo("user");
        press("k");
        assertThat(browser.text("return document.getElementById('user').value")).isEqualTo("keeper");
        assertThat(browser.is("getComputedStyle(document.activeElement).outlineStyle !== 'none'"))
                .as("where the focus is can be seen")
                .isTrue();
        tabTo("burst-size");
        press(Keys.chord(Keys.CONTROL, "a"), "12", Keys.ENTER);
        awaitText("news", "A burst of 12 as keeper.");
        assertThat(browser.number("return document.querySelectorAll('[role=status], [aria-live]').length"))
                .isEqualTo(3);
        eventually()
                .until(() -> chart("sliding-log").endsWith("10 admitted, 2 rejected")
                        && chart("gcra").contains("admitted"));
        tabTo("tables", "summary");
        press(Keys.ENTER);
        eventually().until(() -> text("#latest tbody").contains("keeper"));
        assertThat(text("#sums tbody")).contains("Sliding log 10 0 2");
        assertThat(text("#latest tbody")).contains("strategies/gcra keeper admitted");
    }

    @Test
    void theExperimentShowsWhatEachOfficeSells() throws Exception {
        long began = System.nanoTime();
        click("feed");
        await().atMost(PATIENCE.multipliedBy(2))
                .until(() -> text("#feeding-news").contains("Both: "));
        long windows = 1 + Duration.ofNanos(System.nanoTime() - began).toSeconds() / 10;
        assertThat(sold("gate")).as("each of 40 guests has one of 20 tickets").isEqualTo(40);
        assertThat(sold("window")).as("20 in any window").isBetween(20L, 20 * windows);
        assertThat(sold("both")).isBetween(20L, 20 * windows);
        assertThat(text("[data-path='tiger-feeding/gate'] .verdict")).contains("20 more than there are");
        assertThat(browser.number(
                        "return document.querySelectorAll('[data-path=\"tiger-feeding/both\"] .several').length"))
                .as("nobody has two where there is a gate")
                .isZero();
        assertThat(browser.number(
                        "return document.querySelectorAll('[data-path=\"tiger-feeding/window\"] .several').length"))
                .as("who asks twice has two where there is none")
                .isPositive();
        assertThat(browser.complaints()).isEmpty();
        choose("fixed-window", "sliding-log", "gcra", "leaky-bucket", "uniform");
        type("burst-size", "14");
        click("burst");
        awaitText("news", "A burst of 14");
        eventually().until(() -> chart("gcra").contains("rejected"));
        browser.photograph(PICTURES.resolve("page.png"));
    }

    @Test
    void aPlanIsCountedBeyondItsLimitWhileEachRequestIsServed() {
        select("member");
        click("plan-five");
        awaitText("quota-news", "5 requests as member: 5 answered 200.");
        assertThat(text("#plan-used")).isEqualTo("5");
        click("plan-five");
        eventually().until(() -> text("#plan-used").equals("10"));
        assertThat(text("#plan-verdict")).startsWith("Nothing to be billed. Months begin on day 15;");
        click("plan-five");
        eventually().until(() -> text("#plan-used").equals("15"));
        assertThat(text("#plan-verdict"))
                .matches(
                        "5 beyond the plan, to be billed\\. Months begin on day 15; the present one ends in \\d+ d\\.");
        assertThat(text("#quota-news")).isEqualTo("5 requests as member: 5 answered 200.");
        assertThat(browser.number("return document.querySelectorAll('#plan-cells .beyond').length"))
                .isEqualTo(5);
        assertThat(text("#raw")).contains("HTTP 200", "ratelimit: \"plan\";r=0").doesNotContain(";t=");
        select("keeper");
        assertThat(text("#plan-used")).isEqualTo("–");
        click("plan-one");
        eventually().until(() -> text("#plan-used").equals("1"));
        assertThat(text("#plan-verdict")).contains("day 31");
        assertThat(browser.complaints()).isEmpty();
    }

    /** The page shows the estimate before the answer is complete, and then what came back. */
    @Test
    void anAnswerIsChargedByItsEstimateAndWhatItDidNotUseComesBack() {
        watch("tokens-left");
        watch("answer");
        click("ask");
        awaitText("quota-news", "Estimated 256 tokens, used 27: 229 come back.");
        assertThat(text("#answer"))
                .isEqualTo("Ada is a penguin. Bruno is a brown bear. Carla is a red panda. Dmitri is a sloth.");
        assertThat(seen("answer")).as("it comes in parts").hasSizeGreaterThan(2);
        assertThat(seen("tokens-left")).hasSize(2).first().isEqualTo("344");
        assertThat(text("#settlements tbody")).matches("256 27 229 (5[789]\\d|600)");
        assertThat(text("#settlements tbody")).endsWith(' ' + text("#tokens-left"));
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void aQuestionForWhichTokensAreMissingIsRejected() {
        browser.driver().executeScript("document.getElementById('question').value = 'Ada? '.repeat(400)");
        click("ask");
        awaitText("quota-news", "Estimated 750 tokens, used 505: 245 come back.");
        click("ask");
        eventually().until(() -> text("#quota-news").matches("Rejected: again in \\d+ s\\."));
        assertThat(text("#settlements tbody")).startsWith("rejected – – –\n750 505 245 ");
        assertThat(text("#raw")).contains("HTTP 429", "retry-after: ");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void thePageIsAccessibleInLightAndInDark() throws Exception {
        choose("sliding-log");
        click("burst");
        awaitText("news", "A burst");
        click("plan-five");
        click("plan-five");
        click("plan-five");
        eventually().until(() -> text("#plan-used").equals("15"));
        click("ask-three");
        awaitText("quota-news", " tokens, used 27");
        browser.driver().executeScript("document.querySelectorAll('details').forEach(each => each.open = true)");
        requireAccessible("light", "rgb\\((2\\d\\d, ?){2}2\\d\\d\\)");
        requireAccessible("dark", "rgb\\((\\d\\d?, ?){2}\\d\\d?\\)");
    }

    private static void requireAccessible(String scheme, String background) throws Exception {
        browser.size(1280, 900);
        browser.prefer("prefers-color-scheme", scheme);
        Results found = new AxeBuilder().analyze(browser.driver());
        assertThat(found.getViolations())
                .as(scheme)
                .extracting(
                        Rule::getId,
                        rule -> rule.getNodes().stream()
                                .map(node -> node.getHtml() + " " + node.getFailureSummary())
                                .toList())
                .isEmpty();
        assertThat(browser.text("return getComputedStyle(document.body).backgroundColor"))
                .matches(background);
        browser.photograph(PICTURES.resolve("page-" + scheme + ".png"));
    }

    @Test
    void aPhoneNeedsNoScrollingToTheSide() throws Exception {
        browser.size(360, 740);
        browser.driver().navigate().refresh();
        eventually().until(() -> browser.is("document.querySelector('.rule').textContent !== ''"));
        click("burst");
        awaitText("news", "A burst");
        browser.driver().executeScript("document.querySelectorAll('details').forEach(each => each.open = true)");
        assertThat(browser.number("return document.documentElement.scrollWidth"))
                .isEqualTo(360);
        assertThat(
                        browser.number(
                                "return [...document.querySelectorAll('button, select, input:not([type=checkbox])')].filter(each => each.getBoundingClientRect().height < 36).length"))
                .as("what is too small for a finger")
                .isZero();
        browser.photograph(PICTURES.resolve("page-phone.png"));
    }

    @Test
    void theFieldsAreReadAsTheyAreDefined() {
        assertThat(fields("\"a b\";q=10;w=60, \"c\";q=3;qu=\"concurrent-requests\""))
                .isEqualTo(List.of(
                        Map.of("name", "a b", "q", 10L, "w", 60L),
                        Map.of("name", "c", "q", 3L, "qu", "concurrent-requests")));
        assertThat(fields("\"say \\\"x\\\", y\";r=0;t=1"))
                .isEqualTo(List.of(Map.of("name", "say \"x\", y", "r", 0L, "t", 1L)));
        assertThat(fields("")).isEqualTo(List.of());
        assertThat(fields("\"a\";r=1,")).asString().startsWith("Error: not a list");
        assertThat(fields("limit=10, remaining=3")).asString().startsWith("Error: not a string");
    }

    private static Object fields(String field) {
        return browser.driver().executeAsyncScript("""
                        const [field, done] = arguments;
                        import(new URL('page/fields.js', document.baseURI)).then(({list}) => {
                            try {
                                done(list(field).map(({name, parameters}) => ({name, ...Object.fromEntries(parameters)})));
                            } catch (refused) {
                                done(String(refused));
                            }
                        });
                        """, field);
    }

    private static ConditionFactory eventually() {
        return await().atMost(PATIENCE);
    }

    private static void choose(String... strategies) {
        click("none");
        for (String strategy : strategies) {
            browser.driver()
                    .findElement(By.cssSelector("[data-strategy='" + strategy + "'] .who"))
                    .click();
        }
    }

    private static void click(String id) {
        browser.driver().findElement(By.id(id)).click();
    }

    private static void select(String user) {
        new Select(browser.driver().findElement(By.id("user"))).selectByVisibleText(user);
    }

    /** Keeps each text that an element has from now on. */
    private static void watch(String id) {
        browser.driver().executeScript("""
                        const element = document.getElementById(arguments[0]);
                        const seen = (window.seen ??= {})[arguments[0]] = [];
                        new MutationObserver(() => seen.push(element.textContent)).observe(element, {childList: true});
                        """, id);
    }

    private static List<?> seen(String id) {
        return (List<?>) browser.driver().executeScript("return window.seen[arguments[0]]", id);
    }

    private static void type(String id, String text) {
        WebElement field = browser.driver().findElement(By.id(id));
        field.clear();
        field.sendKeys(text);
    }

    private static void press(CharSequence... keys) {
        new Actions(browser.driver()).sendKeys(String.join("", keys)).perform();
    }

    /** Tab, as often as it takes; within an element if one is named. */
    private static void tabTo(String id) {
        tabUntil("document.activeElement.id === '" + id + "'");
    }

    private static void tabTo(String id, String child) {
        tabUntil("document.activeElement.matches('#" + id + " > " + child + "')");
    }

    private static void tabUntil(String condition) {
        for (int i = 0; i < 60; i++) {
            if (browser.is(condition)) {
                return;
            }
            press(Keys.TAB);
        }
        throw new AssertionError("not to be reached by keyboard: " + condition);
    }

    private static void focusFirst() {
        browser.driver().executeScript("document.activeElement.blur()");
        press(Keys.TAB);
    }

    private static String active() {
        return browser.text("return document.activeElement.tagName + ':' + document.activeElement.textContent");
    }

    private static long sold(String office) {
        return Long.parseLong(text("[data-path='tiger-feeding/" + office + "'] .sold b"));
    }

    private static String chart(String strategy) {
        return browser.text("return document.querySelector('[data-strategy=" + strategy + "] .chart').ariaLabel");
    }

    /** How many marks of an outcome a drawing has. */
    private static String marksDrawn(String strategy, String outcome) {
        return "return document.querySelector('[data-strategy=" + strategy + "] path." + outcome
                + "').getAttribute('d').split('M').length - 1";
    }

    private static String text(String selector) {
        return browser.driver().findElement(By.cssSelector(selector)).getText();
    }

    private static void awaitText(String id, String text) {
        eventually().until(() -> text("#" + id), shown -> shown.contains(text));
    }
}
