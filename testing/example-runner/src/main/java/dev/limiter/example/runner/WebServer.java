package dev.limiter.example.runner;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** Jetty on {@code localhost}, with one application. */
final class WebServer implements AutoCloseable {

    private static final String ADDRESS = "127.0.0.1";
    private static final int PROBE_MILLIS = 500;

    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);

    private WebServer() {
        server.addConnector(connector);
    }

    /**
     * Takes the port, and nothing else yet: the caller starts a Redis next and knows that it has
     * the port.
     *
     * @throws CannotStartException if the port is taken
     */
    static WebServer on(int port) {
        WebServer web = new WebServer();
        web.connector.setHost(ADDRESS);
        web.connector.setPort(port);
        requireSilent(port);
        try {
            web.connector.open();
        } catch (IOException taken) {
            throw busy(port);
        }
        return web;
    }

    /**
     * @throws CannotStartException if the application does not start
     */
    void deploy(Path war) {
        WebAppContext application = new WebAppContext();
        application.setContextPath("/");
        application.setWar(war.toString());
        // Beside the WAR, one per port: what a killed server leaves there is overwritten by the
        // next and cleaned by Maven.
        Path unpacked = war.resolveSibling("jetty-" + connector.getLocalPort());
        application.setTempDirectory(unpacked.toFile());
        // Otherwise Jetty would start, and answer 503 to everything.
        application.setThrowUnavailableOnStartupException(true);
        server.setHandler(application);
        try {
            server.start();
        } catch (Exception failed) {
            throw new CannotStartException("the application did not start", failed);
        }
    }

    /** {@code http://localhost:8080/}. */
    String address() {
        return "http://localhost:" + connector.getLocalPort() + "/";
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception failed) {
            throw new IllegalStateException("Jetty did not stop", failed);
        } finally {
            connector.close();
        }
    }

    /**
     * Our address may be free while another program listens on the other one that
     * {@code localhost} means, and clients would reach that one.
     */
    private static void requireSilent(int port) {
        if (port != 0 && loopback().stream().anyMatch(address -> answers(address, port))) {
            throw busy(port);
        }
    }

    private static List<InetAddress> loopback() {
        try {
            return List.of(InetAddress.getByName(ADDRESS), InetAddress.getByName("::1"));
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static boolean answers(InetAddress address, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), PROBE_MILLIS);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    private static CannotStartException busy(int port) {
        return new CannotStartException(
                "port " + port + " is in use; stop what listens there, or choose another with -D" + Options.PORT + "=");
    }
}
