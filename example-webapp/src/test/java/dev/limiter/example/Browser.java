package dev.limiter.example;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** The Chromium of the machine, without a window; nothing is downloaded. */
final class Browser implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Whether the machine has one. */
    static boolean isThere() {
        return program("chromium", "chromium-browser", "google-chrome").isPresent()
                && program("chromedriver").isPresent();
    }

    static Browser open() {
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(program("chromium", "chromium-browser", "google-chrome")
                .orElseThrow()
                .toFile());
        options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--lang=en");
        options.setCapability("goog:loggingPrefs", logs);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(program("chromedriver").orElseThrow().toFile())
                .usingAnyFreePort()
                .build();
        ChromeDriver driver = new ChromeDriver(service, options);
        driver.manage().timeouts().pageLoadTimeout(PATIENCE).scriptTimeout(PATIENCE);
        return new Browser(driver);
    }

    ChromeDriver driver() {
        return driver;
    }

    /**
     * A page of this size, in CSS pixels, whatever the window needs around it; below 500 it is a
     * phone.
     */
    void size(int width, int height) {
        driver.manage().window().setSize(new Dimension(Math.max(width, 500), height));
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 500));
    }

    /** Sets a preference of the system. */
    void prefer(String feature, String value) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia", Map.of("features", List.of(Map.of("name", feature, "value", value))));
    }

    /** The whole page, however long. */
    void photograph(Path file) throws Exception {
        long width = number("return document.documentElement.clientWidth");
        long height = number("return document.documentElement.scrollHeight");
        size((int) width, (int) height);
        driver.executeAsyncScript("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))");
        Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
    }

    long number(String script) {
        return ((Number) driver.executeScript(script)).longValue();
    }

    String text(String script) {
        return (String) driver.executeScript(script);
    }

    boolean is(String expression) {
        return (Boolean) driver.executeScript("return " + expression);
    }

    /**
     * The errors of the page, such as a missing file or a violation of the content security
     * policy.
     */
    List<String> complaints() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
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
