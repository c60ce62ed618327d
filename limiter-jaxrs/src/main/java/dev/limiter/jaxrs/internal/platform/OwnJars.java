package dev.limiter.jaxrs.internal.platform;

import dev.limiter.jaxrs.RateLimitDeploymentException;
import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The JARs of the limiter itself. A build without {@code clean} leaves an older version beside the
 * new one in a WAR, and the server mixes their classes.
 */
public final class OwnJars {
    private static final List<String> CLASSES = List.of(
            "dev/limiter/RateLimited.class", "dev/limiter/jaxrs/RateLimits.class", "dev/limiter/cdi/CallThreads.class");

    private OwnJars() {}

    /** @throws RateLimitDeploymentException if a module is there twice, with both places */
    public static void requireSingle() {
        ClassLoader loader = OwnJars.class.getClassLoader();
        try {
            for (String name : CLASSES) {
                Set<String> places = places(loader, name);
                if (loader.getParent() != null) {
                    places.removeAll(places(loader.getParent(), name)); // a server's own stands behind it
                }
                if (places.size() > 1) {
                    throw new RateLimitDeploymentException(List.of("The limiter is on the class path twice: "
                            + String.join(" and ", places)
                            + "; remove one, as by a clean build, since the server would mix their classes"));
                }
            }
        } catch (IOException unreadable) {
            throw new RateLimitDeploymentException(List.of("The JARs of the limiter cannot be read: " + unreadable));
        }
    }

    private static Set<String> places(ClassLoader loader, String name) throws IOException {
        Set<String> places = new TreeSet<>();
        for (URL url : Collections.list(loader.getResources(name))) {
            String text = url.toString();
            places.add(text.substring(0, text.length() - name.length()));
        }
        return places;
    }
}
