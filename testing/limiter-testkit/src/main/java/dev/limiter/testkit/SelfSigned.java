package dev.limiter.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate for {@code localhost} and 127.0.0.1 which only clients trust that are told to; new
 * for each server, and valid for a day or two. Its files vanish with {@link #close} and with
 * this JVM.
 */
final class SelfSigned implements AutoCloseable {

    /** The password of all key stores here; it protects nothing. */
    static final String PASSWORD = "changeit";

    private static final String ALIAS = "redis";
    private static final String STORE_TYPE = "PKCS12";

    /** A program that runs for half a second need not be compiled well. */
    private static final String QUICK_START = "-J-XX:TieredStopAtLevel=1";

    private static final int PEM_COLUMNS = 64;

    private final TemporaryDirectory files;

    private SelfSigned(TemporaryDirectory files) {
        this.files = files;
    }

    /** @throws IllegalStateException if the JDK's {@code keytool} does not do its work */
    static SelfSigned create() {
        return create("localhost", "dns:localhost,ip:127.0.0.1");
    }

    /** For another host than the one it will be found on. */
    static SelfSigned createFor(String host) {
        return create(host, "dns:" + host);
    }

    private static SelfSigned create(String host, String names) {
        SelfSigned created = new SelfSigned(TemporaryDirectory.create("redis-tls"));
        try {
            created.write(host, names);
            return created;
        } catch (IOException | GeneralSecurityException | RuntimeException failed) {
            created.close();
            throw new IllegalStateException("no certificate: " + failed.getMessage(), failed);
        }
    }

    /** In PEM. */
    Path certificate() {
        return files.path().resolve("certificate.pem");
    }

    /** In PEM, PKCS 8. */
    Path key() {
        return files.path().resolve("key.pem");
    }

    /** PKCS 12 with the certificate and without the key. */
    Path trustStore() {
        return files.path().resolve("trust.p12");
    }

    /** PKCS 12 with the certificate and its key. */
    Path keyStore() {
        return files.path().resolve("pair.p12");
    }

    /** Sockets that trust this certificate and no other. */
    SocketFactory sockets() {
        try {
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(load(trustStore()));
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context.getSocketFactory();
        } catch (IOException | GeneralSecurityException failed) {
            throw new IllegalStateException("no TLS: " + failed.getMessage(), failed);
        }
    }

    @Override
    public void close() {
        files.close();
    }

    private void write(String host, String names) throws IOException, GeneralSecurityException {
        generate(keyStore(), host, names);
        KeyStore generated = load(keyStore());
        Certificate certificate = generated.getCertificate(ALIAS);
        Files.writeString(certificate(), pem("CERTIFICATE", certificate.getEncoded()));
        byte[] key = generated.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded();
        Files.writeString(key(), pem("PRIVATE KEY", key));

        KeyStore trust = KeyStore.getInstance(STORE_TYPE);
        trust.load(null, null);
        trust.setCertificateEntry(ALIAS, certificate);
        try (OutputStream out = Files.newOutputStream(trustStore())) {
            trust.store(out, PASSWORD.toCharArray());
        }
    }

    private static void generate(Path pair, String host, String names) throws IOException {
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        List<String> what = List.of("-genkeypair", "-alias", ALIAS, "-keyalg", "EC", "-groupname", "secp256r1");
        List<String> who = List.of("-dname", "CN=" + host, "-ext", "SAN=" + names);
        List<String> where = List.of(
                "-validity", "2", "-storetype", STORE_TYPE, "-storepass", PASSWORD, "-keystore", pair.toString());
        List<String> command = Stream.of(List.of(keytool, QUICK_START), what, who, where)
                .flatMap(List::stream)
                .toList();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException("keytool says " + output);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while keytool ran", interrupted);
        }
    }

    private static KeyStore load(Path file) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(STORE_TYPE);
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    private static String pem(String what, byte[] bytes) {
        String text = Base64.getMimeEncoder(PEM_COLUMNS, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
    }
}
