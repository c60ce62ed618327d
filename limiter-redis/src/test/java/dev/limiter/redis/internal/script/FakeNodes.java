package dev.limiter.redis.internal.script;

import dev.limiter.internal.algorithm.Packed;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import redis.clients.jedis.HostAndPort;

/** Two servers that speak RESP. The test sets the owners of slots and the clocks. */
public final class FakeNodes implements AutoCloseable {

    /** Slots of a node, both ends included. */
    public record Range(int from, int to, int node) {}

    public final List<String> commands = new CopyOnWriteArrayList<>();

    /** The clock of each node, in µs since 1970. */
    public final long[] micros = {1_700_000_000_000_000L, 1_700_000_000_000_000L};

    public volatile List<Range> ranges = List.of(new Range(0, 8_191, 0), new Range(8_192, 16_383, 1));

    /** The node that is the master, where these are asked as sentinels. */
    public volatile int master;

    /** The sentinel that missed the last change of the master; -1 if none did. */
    public volatile int outOfDate = -1;

    /** What sentinels may not be asked, such as {@code 0 MASTER}. */
    public volatile List<String> forbidden = List.of();

    /** How far ahead of the clock each bucket is charged, in µs; beyond 0 it rejects. */
    public volatile long chargedAheadMicros;

    /** The bytes of the reply to a decision, if not those of Redis. */
    public volatile String instead = "";

    /** Whether each reply is sent twice. */
    public volatile boolean twice;

    /** Whether commands are heard and not answered. */
    public volatile boolean silent;

    private final List<ServerSocket> servers = new ArrayList<>();
    private final List<Socket> subscribers = new CopyOnWriteArrayList<>();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    public FakeNodes() {
        for (int node = 0; node < micros.length; node++) {
            servers.add(listen(node));
        }
    }

    private ServerSocket listen(int node) {
        try {
            ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            daemon(() -> {
                while (true) {
                    Socket socket = server.accept();
                    sockets.add(socket);
                    daemon(() -> serve(node, socket));
                }
            });
            return server;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void daemon(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException closed) {
                        // The test is over, or the limiter has closed the connection.
                    }
                },
                "fake-node");
        thread.setDaemon(true);
        thread.start();
    }

    /** How many connections were opened. */
    public int connections() {
        return sockets.size();
    }

    public HostAndPort address(int node) {
        return new HostAndPort("127.0.0.1", servers.get(node).getLocalPort());
    }

    public String uri() {
        return "redis://" + address(0) + "," + address(1);
    }

    private void serve(int node, Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        while (true) {
            List<String> words = new ArrayList<>();
            for (int left = number(in); left > 0; left--) {
                byte[] word = in.readNBytes(number(in));
                in.skipBytes(2);
                words.add(new String(word, StandardCharsets.ISO_8859_1));
            }
            commands.add(node + " " + words.get(0));
            if (words.get(0).equals("SUBSCRIBE")) {
                subscribers.add(socket);
            }
            if (!silent) {
                byte[] answer = answer(node, words);
                socket.getOutputStream().write(twice ? Packed.joined(answer, answer) : answer);
            }
        }
    }

    /** The number of a line such as {@code *3} or {@code $12}. */
    private static int number(DataInputStream in) throws IOException {
        if (in.read() < 0) {
            throw new IOException("closed");
        }
        int number = 0;
        for (int digit = in.read(); digit != '\r'; digit = in.read()) {
            if (digit < 0) {
                throw new IOException("closed");
            }
            number = 10 * number + digit - '0';
        }
        in.read();
        return number;
    }

    private byte[] answer(int node, List<String> words) throws IOException {
        String text = switch (words.get(0)) {
            case "CLUSTER" -> slots();
            case "SENTINEL" ->
                forbidden.contains(node + " " + words.get(1))
                        ? "-NOPERM this user has no permissions\r\n"
                        : node == outOfDate ? sentinel(words.get(1), 1 - master, 6) : sentinel(words.get(1), master, 7);
            case "SUBSCRIBE" -> "*3\r\n$9\r\nsubscribe\r\n$14\r\n+switch-master\r\n:1\r\n";
            case "EVAL" -> "*0\r\n";
            case "INFO" -> "-NOPERM this user has no permissions\r\n";
            case "EVALSHA" -> instead;
            default -> "+node " + node + "\r\n";
        };
        if (!text.isEmpty()) {
            return text.getBytes(StandardCharsets.US_ASCII);
        }
        byte fits = (byte) (chargedAheadMicros > 0 ? 0 : 1);
        long charged = chargedAheadMicros > 0 ? micros[node] + chargedAheadMicros : 0;
        byte[] snapshot = Packed.joined(Packed.joined(Packed.packed(micros[node]), fits), Packed.packed(charged));
        ByteArrayOutputStream bulk = new ByteArrayOutputStream();
        bulk.write(("$" + snapshot.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
        bulk.write(snapshot);
        bulk.write("\r\n".getBytes(StandardCharsets.US_ASCII));
        return bulk.toByteArray();
    }

    private String sentinel(String question, int named, int epoch) {
        String port = Integer.toString(address(named).getPort());
        return question.equals("MASTER")
                ? list("ip", "127.0.0.1", "port", port, "config-epoch", Integer.toString(epoch))
                : list("127.0.0.1", port);
    }

    /** Closes all connections to a node, as when it is cut off; it accepts others. */
    public void disconnect(int node) throws IOException {
        for (Socket each : sockets) {
            if (each.getLocalPort() == address(node).getPort()) {
                each.close();
            }
        }
    }

    private static String list(String... words) {
        StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
            text.append("$" + word.length() + "\r\n" + word + "\r\n");
        }
        return text.toString();
    }

    /** All sentinels tell that another node is the master; that of "shop" is {@link #master}. */
    public void switchMaster(String name, int to) throws IOException {
        String told = name + " 127.0.0.1 " + address(master).getPort() + " 127.0.0.1 "
                + address(to).getPort();
        master = name.equals("shop") ? to : master;
        for (Socket each : subscribers) {
            each.getOutputStream().write(list("message", "+switch-master", told).getBytes(StandardCharsets.US_ASCII));
        }
    }

    private String slots() {
        StringBuilder text = new StringBuilder("*" + ranges.size() + "\r\n");
        for (Range range : ranges) {
            int port = address(range.node()).getPort();
            text.append("*3\r\n:" + range.from() + "\r\n:" + range.to() + "\r\n");
            text.append("*3\r\n$9\r\n127.0.0.1\r\n:" + port + "\r\n$1\r\n" + range.node() + "\r\n");
        }
        return text.toString();
    }

    @Override
    public void close() throws IOException {
        for (ServerSocket server : servers) {
            server.close();
        }
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
