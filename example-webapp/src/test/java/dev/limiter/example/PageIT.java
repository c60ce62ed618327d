package dev.limiter.example;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.results.Rule;
import com.deque.html.axecore.selenium.AxeBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** The page in a real Chromium: mouse, keyboard, screen reader, light and dark, a phone. */
class PageIT {
    private static Browser page;

    @BeforeAll
    static void open() {
        page = Browser.open().orElse(null);
        if (page == null) {
            System.out.println(
                    "PageIT: NOT RUN, the page is untested: no chromium with chromedriver on this machine (Debian: chromium chromium-driver)");
        }
        Assumptions.assumeTrue(page != null, "no chromium with chromedriver");
        page.driver.get(ZooNodes.ONE + "page/zoo.svg");
        page.driver.executeScript("sessionStorage.setItem('opened', 'yes')");
    }

    @AfterAll
    static void close() {
        if (page != null) {
            page.close();
        }
    }

    @BeforeEach
    void look() {
        SharedRedis.empty();
        page.width(1280);
        page.prefer("light");
        page.driver.get(ZooNodes.ONE);
        page.awaitText("#source", "Recorded in Redis");
        page.awaitTrue("document.querySelector('.rule').textContent !== ''");
        page.complaints();
    }

    @AfterEach
    void thePageHasNoErrors() {
        given().auth().preemptive().basic("keeper", "keeper").delete(ZooNodes.ONE + "api/limits/policies/gcra");
        assertThat(page.complaints()).isEmpty();
    }

    @Test
    void aBurstByKeyboardIsDrawnAndReadAndTold() {
        page.press(Keys.TAB);
        assertThat(page.value("document.activeElement.textContent")).isEqualTo("Skip to the controls");
        page.press(Keys.ENTER);
        page.tabTo("#user");
        page.press("k");
        assertThat(page.value("getComputedStyle(document.activeElement).outlineStyle"))
                .as("where the focus is can be seen")
                .isNotEqualTo("none");
        page.tabTo("#burst-size");
        page.press("12", Keys.ENTER);
        page.awaitText("#news", "A burst of 12 as keeper.");
        assertThat(page.value("document.querySelectorAll('[role=status]').length"))
                .isEqualTo(4L);
        awaitChart("sliding-log", "10 admitted, 2 rejected");
        assertThat(drawn("admitted")).isEqualTo(10L);
        assertThat(drawn("rejected")).isEqualTo(2L);
        awaitChart("uniform", "no marks");
        assertThat(page.text("[data-strategy=sliding-log]"))
                .containsPattern("0 of 10\\s+window\\s+10 s\\s+reset\\s+[1-9] s");

        page.click("#none");
        page.click("[data-strategy=sliding-log] .who");
        page.click("#one");
        page.awaitText("#body", "\"violated-policies\"");
        assertThat(page.text("#raw"))
                .contains("HTTP 429", "ratelimit-policy: \"sliding-log\";q=10;w=10", "ratelimit: \"sliding-log\";r=0")
                .contains("retry-after: ");
    }

    @Test
    void itOpensWithABurstThatGoesOnAndShowsAnnotationsAsInTheSource() throws Exception {
        page.driver.executeScript("sessionStorage.clear(); location.reload()");
        page.awaitText("#news", "A burst of 15 as visitor. Fixed window: ");
        page.awaitTrue("document.querySelector('[data-strategy=gcra] .chart').ariaLabel.includes(' rejected')");
        page.awaitText("#steady", "Stop");
        page.click("#steady");
        String source = Files.readString(Path.of("src/main/java/dev/limiter/example/StrategyResource.java"))
                .replaceAll("\\s+", " ")
                .replace("( ", "(");
        assertThat((List<?>) page.value("[...document.querySelectorAll('.annotation')].map(each => each.textContent)"))
                .hasSize(9)
                .allSatisfy(annotation -> assertThat(source).contains((String) annotation));
        assertThat(given().get(ZooNodes.ONE + "README.md").asString()).contains("@RateLimited(");
    }

    @Test
    void theKeeperSeesWhoIsRejectedLowersALimitAndForgives() {
        page.type("#burst-size", "100");
        page.click("#burst");
        page.awaitText("#news", "A burst of 100 as visitor.");
        assertThat(page.text("#hit tbody")).startsWith("only for the keeper");
        page.tabTo("#user");
        page.press("k");
        page.awaitText("#hit tbody", "gcra visitor ");
        page.click("[aria-label='Halve for a minute: gcra']");
        page.awaitText("[data-strategy=gcra] .rule", "5 per 10 s");
        page.click("[aria-label='Forgive: visitor, gcra']");
        page.awaitText("#operators-news", "Forgiven: visitor has a full quota of gcra.");
    }

    @Test
    void allStrategiesRunSideBySideAtASteadyRate() {
        page.click("#all");
        page.type("#rate", "4");
        page.click("#steady");
        page.awaitTrue(
                "[...document.querySelectorAll('.chart')].every(chart => chart.ariaLabel.includes(' admitted'))");
        page.awaitTrue(
                "document.querySelector('[data-strategy=leaky-bucket] path.delayed').getAttribute('d').includes('M')");
        page.click("#steady");
        page.awaitText("#news", "Stopped.");
        assertThat(page.text("#news")).contains("Fixed window: ", "Concurrency: ");
    }

    @Test
    void whatAnotherNodeAdmitsIsSeenHere() {
        given().auth().preemptive().basic("keeper", "keeper").get(ZooNodes.TWO + "api/strategies/gcra");
        awaitChart("gcra", "1 admitted");
        page.click("#mine");
        awaitChart("gcra", "no marks");
    }

    @Test
    void theOfficesShowWhatAGateAndAWindowSell() {
        page.click("#feed");
        page.awaitText("#feeding-news", "Both: ");
        assertThat(page.text("#feeding-news"))
                .as("each of 40 guests has one of 20 tickets")
                .contains("A gate for each guest: 40 of 20 sold.");
        assertThat(page.text("[data-path='tiger-feeding/gate'] .verdict")).contains("20 more than there are");
        assertThat(page.value("document.querySelectorAll('[data-path=\"tiger-feeding/both\"] .several').length"))
                .as("nobody has two where there is a gate")
                .isEqualTo(0L);
        assertThat((long)
                        page.value("document.querySelectorAll('[data-path=\"tiger-feeding/window\"] .several').length"))
                .as("who asks twice has two where there is none")
                .isPositive();
    }

    @Test
    void aPlanIsCountedBeyondItsLimitAndAnAnswerIsSettled() {
        page.tabTo("#user");
        page.press("m");
        for (int used = 5; used <= 15; used += 5) {
            page.click("#plan-five");
            page.awaitText("#plan-used", Integer.toString(used));
        }
        assertThat(page.text("#quota-news")).isEqualTo("5 requests as member: 5 answered 200.");
        assertThat(page.text("#plan-verdict")).startsWith("5 beyond the plan, to be billed. Months begin on day 15;");
        assertThat(page.value("document.querySelectorAll('#plan-cells .beyond').length"))
                .isEqualTo(5L);

        page.driver.executeScript("""
                window.seen = [];
                new MutationObserver(() => seen.push(document.getElementById('tokens-left').textContent))
                    .observe(document.getElementById('answer'), {childList: true});
                """);
        page.click("#ask");
        page.awaitText("#quota-news", "Estimated 256 tokens, used 27: 229 come back.");
        assertThat(page.text("#answer")).startsWith("Ada is a penguin. Bruno is a brown bear.");
        assertThat((Iterable<?>) page.value("seen"))
                .as("it comes in parts, while the estimate is charged")
                .hasSizeGreaterThan(2)
                .last()
                .isEqualTo("344");
        assertThat(page.text("#settlements tbody")).matches("256 27 229 (5[789]\\d|600)");
        page.driver.executeScript("document.getElementById('question').value = 'Ada? '.repeat(400)");
        page.click("#ask");
        page.awaitText("#quota-news", "Rejected: again in ");
    }

    @Test
    void thePageIsAccessibleInLightInDarkAndOnAPhone() {
        page.click("#burst");
        page.awaitText("#news", "A burst");
        for (int used = 5; used <= 15; used += 5) {
            page.click("#plan-five");
            page.awaitText("#plan-used", Integer.toString(used));
        }
        page.click("#ask-three");
        page.awaitText("#quota-news", " tokens, used 27");
        requireAccessible(new AxeBuilder());
        page.prefer("dark");
        assertThat((String) page.value("getComputedStyle(document.body).backgroundColor"))
                .matches("rgb\\((\\d\\d?, ?){2}\\d\\d?\\)");
        requireAccessible(new AxeBuilder().withRules(List.of("color-contrast")));
        page.width(360);
        page.awaitTrue("document.documentElement.scrollWidth === 360");
        assertThat(
                        page.value(
                                "[...document.querySelectorAll('button, select, input:not([type=checkbox])')].filter(each => each.getBoundingClientRect().height < 36).length"))
                .as("what is too small for a finger")
                .isEqualTo(0L);
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
        return page.driver.executeAsyncScript("""
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

    private static void requireAccessible(AxeBuilder axe) {
        assertThat(axe.analyze(page.driver).getViolations())
                .extracting(Rule::getId, Rule::getNodes)
                .isEmpty();
    }

    private static void awaitChart(String strategy, String label) {
        page.awaitTrue("document.querySelector('[data-strategy=" + strategy + "] .chart').ariaLabel.endsWith('" + label
                + "')");
    }

    /** How many marks of an outcome the sliding log has. */
    private static Object drawn(String outcome) {
        return page.value("document.querySelector('[data-strategy=sliding-log] path." + outcome
                + "').getAttribute('d').split('M').length - 1");
    }
}
