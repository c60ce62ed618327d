package dev.limiter.testkit.guide;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The blocks of code in the README and in the pages of {@code docs/}. Each has a kind behind its
 * opening fence. Tests compile, read or run the blocks, so that pages stay true. To be asked by
 * tests of modules, which run in the directory of the module.
 */
public final class Guide {

    /** The root of the project: the nearest directory above that has {@code .mvn}. */
    public static final Path PROJECT = root();

    private static final String FENCE = "```";

    private Guide() {}

    private static Path root() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(directory.resolve(".mvn"))) {
            directory = directory.getParent();
            if (directory == null) {
                throw new IllegalStateException(
                        "no directory above " + Path.of("").toAbsolutePath() + " has .mvn");
            }
        }
        return directory;
    }

    /**
     * A fenced block.
     *
     * @param page its path from the root of the project
     * @param line of the opening fence, from 1
     * @param kind what stands behind the fence, such as {@code java}; empty if nothing does
     * @param text between the fences, with its last line end
     */
    public record Block(String page, int line, String kind, String text) {

        /** Where it stands, as an editor opens it. */
        @Override
        public String toString() {
            return page + ':' + line;
        }
    }

    /**
     * The pages beside the README, of {@code docs/} and of {@code docs/decisions/}, by their
     * paths from the root.
     */
    public static List<String> pages() {
        return Stream.of(PROJECT, PROJECT.resolve("docs"), PROJECT.resolve("docs/decisions"))
                .flatMap(Guide::markdown)
                .toList();
    }

    /**
     * The pages, and all other Markdown of the project, such as that beside the scripts; no file
     * that a build made.
     */
    public static List<String> allPages() {
        try (Stream<Path> files = Files.walk(PROJECT)) {
            return files.map(file -> PROJECT.relativize(file).toString().replace('\\', '/'))
                    .filter(file -> file.endsWith(".md") && !("/" + file).matches(".*/(target|\\..*)/.*"))
                    .sorted()
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** All blocks of all pages. */
    public static List<Block> blocks() {
        return pages().stream().flatMap(page -> blocksOf(page).stream()).toList();
    }

    /** All blocks of one kind. */
    public static List<Block> blocks(String kind) {
        return blocks().stream().filter(block -> block.kind().equals(kind)).toList();
    }

    /**
     * The one block of a kind that contains some words.
     *
     * @throws IllegalStateException if there is none, or more than one
     */
    public static Block block(String kind, String words) {
        List<Block> found = blocks(kind).stream()
                .filter(block -> block.text().contains(words))
                .toList();
        if (found.size() != 1) {
            throw new IllegalStateException(
                    "of kind " + kind + ", with \"" + words + "\", there should be one block, is " + found);
        }
        return found.get(0);
    }

    /** The text of a page. */
    public static String text(String page) {
        try {
            return Files.readString(PROJECT.resolve(page));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * The blocks of one page, in their order.
     *
     * @throws IllegalStateException if a block does not end
     */
    public static List<Block> blocksOf(String page) {
        List<Block> blocks = new ArrayList<>();
        List<String> lines = text(page).lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).startsWith(FENCE)) {
                continue;
            }
            int opening = i;
            do {
                i++;
            } while (i < lines.size() && !lines.get(i).equals(FENCE));
            if (i == lines.size()) {
                throw new IllegalStateException(page + ':' + (opening + 1) + ": this block does not end");
            }
            String text = lines.subList(opening + 1, i).stream()
                    .map(line -> line + '\n')
                    .collect(Collectors.joining());
            blocks.add(new Block(
                    page,
                    opening + 1,
                    lines.get(opening).substring(FENCE.length()).strip(),
                    text));
        }
        return blocks;
    }

    private static Stream<String> markdown(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files
                    .filter(file -> file.getFileName().toString().endsWith(".md"))
                    .map(file -> PROJECT.relativize(file).toString().replace('\\', '/'))
                    .sorted()
                    .toList()
                    .stream();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
