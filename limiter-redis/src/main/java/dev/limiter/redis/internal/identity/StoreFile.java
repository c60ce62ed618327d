package dev.limiter.redis.internal.identity;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Collections;
import javax.net.ssl.KeyManagerFactory;
import redis.clients.jedis.SslOptions;

/**
 * A file of certificates, or of a private key with its certificate, in PKCS 12 or JKS. Each new
 * connection gets what is on disk. A file that cannot be read, such as a half-written one, leaves
 * what was read before in force.
 */
public final class StoreFile implements SslOptions.Resource {
    private static final System.Logger LOG = System.getLogger("dev.limiter.store");

    private final Path path;
    private final char[] password;
    private final boolean holdsKey;
    private Read good;
    private String said = "";

    /** What was read, and of which version of the file. */
    private record Read(FileTime modified, long size, Object file, byte[] bytes) {
        boolean isOf(BasicFileAttributes now) {
            return modified.equals(now.lastModifiedTime())
                    && size == now.size()
                    && (file == null || file.equals(now.fileKey()));
        }
    }

    /**
     * @param holdsKey whether it has to hold a private key
     * @throws IllegalArgumentException if it cannot be read
     */
    public StoreFile(String path, String password, boolean holdsKey) {
        this.path = Path.of(path);
        this.password = password.toCharArray();
        this.holdsKey = holdsKey;
        try {
            good = read(attributes());
        } catch (GeneralSecurityException | IOException unreadable) {
            throw new IllegalArgumentException('"' + path + "\" cannot be read as a store of "
                    + (holdsKey ? "a key and its certificate" : "certificates") + ": " + words(unreadable));
        }
    }

    /** {@return its password, for what reads it} */
    public char[] password() {
        return password.clone();
    }

    @Override
    public synchronized InputStream get() {
        try {
            BasicFileAttributes now = attributes();
            if (!good.isOf(now)) {
                good = read(now);
            }
            said = "";
        } catch (GeneralSecurityException | IOException unreadable) {
            String words = words(unreadable);
            if (!words.equals(said)) {
                said = words;
                LOG.log(
                        System.Logger.Level.WARNING,
                        "\"{0}\" cannot be read: {1}. New connections to Redis use its previous content",
                        path.toString(),
                        words);
            }
        }
        return new ByteArrayInputStream(good.bytes());
    }

    private BasicFileAttributes attributes() throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class);
    }

    /** @param version read before the bytes: if they are newer, they are read once more */
    private Read read(BasicFileAttributes version) throws IOException, GeneralSecurityException {
        byte[] bytes = Files.readAllBytes(path);
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(new ByteArrayInputStream(bytes), password);
        if (holdsKey) {
            requireKey(store);
        } else if (store.size() == 0) {
            throw new IOException("it holds no certificate");
        }
        return new Read(version.lastModifiedTime(), version.size(), version.fileKey(), bytes);
    }

    private void requireKey(KeyStore store) throws IOException, GeneralSecurityException {
        boolean found = false;
        for (String alias : Collections.list(store.aliases())) {
            found |= store.isKeyEntry(alias);
        }
        if (!found) {
            throw new IOException("it holds no private key");
        }
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm()).init(store, password);
    }

    private static String words(Exception unreadable) {
        if (unreadable instanceof NoSuchFileException) {
            return "there is no such file";
        }
        boolean isTold = unreadable.getMessage() != null && !(unreadable instanceof FileSystemException);
        return isTold ? unreadable.getMessage() : unreadable.toString();
    }
}
