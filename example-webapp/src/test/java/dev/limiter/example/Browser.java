package dev.limiter.example;

import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** The Chromium of the machine, without a window; nothing is downloaded. */
final class Browser implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Empty if the machine has none. */
    static Optional<Browser> open() {
        return program("chromium", "chromium-browser", "google-chrome")
                .flatMap(chromium -> program("chromedriver").map(driver -> open(chromium, driver)));
    }

    private static Browser open(Path chromium, Path chromedriver) {
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.WARNING);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium.toFile());
        options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--lang=en");
        options.setCapability("goog:loggingPrefs", logs);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(chromedriver.toFile())
                .usingAnyFreePort()
                .build();
        ChromeDriver driver = new ChromeDriver(service, options);
        driver.manage().timeouts().pageLoadTimeout(PATIENCE).scriptTimeout(PATIENCE);
        return new Browser(driver);
    }

    /** A page of this width, in CSS pixels; a narrow one is that of a phone. */
    void width(int width) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", width < 500));
    }

    /** Prefers a colour scheme, as a system does. */
    void prefer(String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** The value of an expression in JavaScript. */
    Object value(String expression) {
        return driver.executeScript("return " + expression);
    }

    void awaitTrue(String expression) {
        await().atMost(PATIENCE).until(() -> (Boolean) value(expression));
    }

    String text(String selector) {
        return driver.findElement(By.cssSelector(selector)).getText();
    }

    void awaitText(String selector, String part) {
        await().atMost(PATIENCE).until(() -> text(selector), text -> text.contains(part));
    }

    void click(String selector) {
        driver.findElement(By.cssSelector(selector)).click();
    }

    /** Writes into a field in place of what it holds. */
    void type(String selector, String text) {
        WebElement field = driver.findElement(By.cssSelector(selector));
        field.clear();
        field.sendKeys(text);
    }

    void press(CharSequence... keys) {
        new Actions(driver).sendKeys(String.join("", keys)).perform();
    }

    /** Tab, as often as it takes. */
    void tabTo(String selector) {
        for (int i = 0; i < 60; i++) {
            if ((Boolean) value("document.activeElement.matches('" + selector + "')")) {
                return;
            }
            press(Keys.TAB);
        }
        throw new AssertionError("not to be reached by keyboard: " + selector);
    }

    /**
     * The errors of the page since the last call, such as a missing file or a violation of the
     * content security policy.
     */
    List<String> complaints() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(LogEntry::getMessage)
                // The page shows rejections on purpose.
                .filter(message -> !message.contains("status of 429"))
                .toList();
    }

    @Override
    public void close() {
        driver.quit();
    }

    private static Optional<Path> program(String... names) {
        return Stream.of(names)
                .flatMap(name -> Stream.of("/usr/bin/", "/usr/local/bin/").map(place -> Path.of(place + name)))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
