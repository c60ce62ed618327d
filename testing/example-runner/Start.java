import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code mvn -Prun}: looks whether the port is free, packages the example by a Maven that prints
 * errors only, and runs the example in this process.
 *
 * <p>When this process ends, it ends the Maven that started it, which would print a page about the
 * exit code after the line that says what is wrong. When Maven ends, this process does, too.
 */
final class Start {
    private static final Path MODULE = Path.of("testing/example-runner");
    private static final int PROBE_MILLIS = 500;

    private Start() {}

    public static void main(String[] noArguments) throws Exception {
        ProcessHandle maven = ProcessHandle.current().parent().orElseThrow();
        Runtime.getRuntime().addShutdownHook(new Thread(maven::destroy));
        maven.onExit().thenRun(() -> System.exit(1));
        String port = System.getProperty("port");
        if (!port.matches("\\d{1,5}") || Integer.parseInt(port) > 65_535) {
            refuse("port must be a whole number from 0 to 65535, was \"" + port + '"');
        }
        if (answers(Integer.parseInt(port))) {
            refuse("port " + port + " is in use; stop what listens there, or choose another with -Dport=");
        }
        System.out.println("\nPackaging the example and the modules it needs, without their tests ...\n");
        int status = build();
        if (status != 0) System.exit(status);
        URLClassLoader example = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader());
        Thread.currentThread().setContextClassLoader(example);
        example.loadClass("dev.limiter.example.runner.Main")
                .getMethod("main", String[].class)
                .invoke(null, (Object) new String[] {"example-webapp/target/example-webapp.war"});
    }

    private static void refuse(String reason) {
        System.err.println("limiter example: " + reason);
        System.exit(1);
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("localhost", port), PROBE_MILLIS);
            return true;
        } catch (IOException silent) {
            return false;
        }
    }

    /** As the Maven that started this: its repository, its settings, offline or not. */
    private static int build() throws IOException, InterruptedException {
        String mvn = File.separatorChar == '\\' ? "mvn.cmd" : "mvn";
        String repository = System.getProperty("maven.repo.local");
        Path settings = Path.of(System.getProperty("maven.settings"));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("maven.home"), "bin", mvn).toString());
        command.add("-Dmaven.repo.local=" + repository);
        if (Files.exists(settings)) command.addAll(List.of("-s", settings.toString()));
        if (Boolean.getBoolean("maven.offline")) command.add("-o");
        command.addAll(List.of("-q", "-Pexample", "-pl", MODULE.toString(), "package"));
        Process maven = new ProcessBuilder(command).inheritIO().start();
        Runtime.getRuntime().addShutdownHook(new Thread(maven::destroy));
        return maven.waitFor();
    }

    private static URL[] classPath() throws IOException {
        List<URL> urls = new ArrayList<>();
        urls.add(MODULE.resolve("target/classes").toUri().toURL());
        for (String jar : Files.readString(MODULE.resolve("target/class-path")).split(File.pathSeparator)) {
            urls.add(Path.of(jar.strip()).toUri().toURL());
        }
        return urls.toArray(URL[]::new);
    }
}
