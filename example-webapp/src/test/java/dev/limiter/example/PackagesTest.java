package dev.limiter.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.RateLimiter;
import dev.limiter.testkit.guide.Guide;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The size of packages, which a reader sees at a glance, and the shape of limiters. */
class PackagesTest {
    private static final int MOST_TYPES = 20;

    @Test
    void noPackageOfTheLibraryHasMoreThanTwentyTypes() throws IOException {
        Map<Path, Long> types = new TreeMap<>();
        for (Path sources : sources()) {
            try (Stream<Path> files = Files.walk(sources)) {
                types.putAll(files.filter(file -> file.toString().endsWith(".java"))
                        .filter(file -> !file.endsWith("package-info.java"))
                        .collect(Collectors.groupingBy(
                                file -> Guide.PROJECT.relativize(file.getParent()), Collectors.counting())));
            }
        }
        assertThat(types).hasSizeGreaterThan(20);
        assertThat(types)
                .allSatisfy((directory, count) ->
                        assertThat(count).as("types in %s", directory).isLessThanOrEqualTo(MOST_TYPES));
    }

    @Test
    void eachPackageOfTheLibrarySaysItsJob() throws IOException {
        for (Path sources : sources()) {
            try (Stream<Path> files = Files.walk(sources)) {
                assertThat(files.filter(file -> file.toString().endsWith(".java"))
                                .map(Path::getParent)
                                .distinct())
                        .allSatisfy(directory -> assertThat(directory.resolve("package-info.java"))
                                .content()
                                .containsPattern("(?s)^/\\*\\*.*\\w\\..*\\*/\\s*package "));
            }
        }
    }

    /** A verb that a layer overrides would pass by what other layers do with it. */
    @Test
    void noLimiterDeclaresAVerbOfRateLimiter() throws IOException {
        String verbs = Stream.of(RateLimiter.class.getMethods())
                .filter(Method::isDefault)
                .map(Method::getName)
                .filter(name -> !name.equals("unwrap"))
                .distinct()
                .collect(Collectors.joining("|"));
        Pattern verb = Pattern.compile("@Override\\s+public [^(]*?\\b(" + verbs + ")\\(");
        Pattern limiter = Pattern.compile("\\b(extends|implements) [^{]*\\b(RateLimiter|Layer|BlockingAcquire)\\b");
        long limiters = 0;
        for (Path sources : sources()) {
            try (Stream<Path> files = Files.walk(sources)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    String text = Files.readString(file);
                    if (limiter.matcher(text).find()) {
                        limiters++;
                        assertThat(verb.matcher(text).results().map(found -> found.group(1)))
                                .as("verbs that %s declares; override answer alone", file.getFileName())
                                .isEmpty();
                    }
                }
            }
        }
        assertThat(limiters).isGreaterThan(10);
    }

    /** The main code of each module that is published. */
    static List<Path> sources() throws IOException {
        try (Stream<Path> modules =
                Stream.concat(Files.list(Guide.PROJECT), Files.list(Guide.PROJECT.resolve("extensions")))) {
            return modules.filter(module -> module.getFileName().toString().startsWith("limiter-"))
                    .map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .toList();
        }
    }
}
