package dev.limiter.benchmarks;

import dev.limiter.benchmarks.contest.Entry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * The published peers, each with a class loader of its own: they need versions of Jedis, Lettuce
 * and Netty that exclude each other.
 */
final class Peers {
    private static final Path DIRECTORY = Path.of("peers");
    private static final String CONTEST = Entry.class.getPackageName() + ".";

    private Peers() {}

    /** All that were built, in the order of their names. */
    static List<Peer> all() {
        try (Stream<Path> modules = Files.list(DIRECTORY)) {
            List<Peer> peers = new ArrayList<>();
            modules.map(module -> module.resolve("target"))
                    .filter(target -> Files.isDirectory(target.resolve("peer")))
                    .sorted()
                    .forEach(target -> peers.add(load(target)));
            return peers;
        } catch (IOException unreadable) {
            throw new UncheckedIOException("run in the directory of this module", unreadable);
        }
    }

    private static Peer load(Path target) {
        List<Path> libraries = jars(target.resolve("peer"));
        List<Path> jars = new ArrayList<>(jars(target));
        jars.addAll(libraries);
        Entry entry = ServiceLoader.load(Entry.class, loader(jars)).findFirst().orElseThrow();
        return new Peer(entry, version(libraries, entry.artifact()));
    }

    /** Of a peer, or of a build of the limiter. */
    static ClassLoader loader(List<Path> jars) {
        return new URLClassLoader(jars.stream().map(Peers::url).toArray(URL[]::new), new OnlyTheContest());
    }

    private static String version(List<Path> libraries, String artifact) {
        return libraries.stream()
                .map(jar -> jar.getFileName().toString())
                .filter(name -> name.startsWith(artifact + "-"))
                .map(name -> name.substring(artifact.length() + 1, name.length() - ".jar".length()))
                .findFirst()
                .orElseThrow();
    }

    private static List<Path> jars(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Shows a peer only the interface that it has to implement, and no other class of this
     * program.
     */
    private static final class OnlyTheContest extends ClassLoader {
        OnlyTheContest() {
            super(getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith(CONTEST)) {
                return Peers.class.getClassLoader().loadClass(name);
            }
            throw new ClassNotFoundException(name);
        }
    }
}
