package dev.limiter.servers;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jboss.shrinkwrap.api.Archive;
import org.jboss.shrinkwrap.api.Assignable;
import org.jboss.shrinkwrap.api.Node;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;

/**
 * Writes a WAR without compression. Its libraries are compressed already; to compress them again
 * took a fifth of each deployment. Public, with this constructor, for ShrinkWrap.
 */
public final class StoredWar implements ZipExporter {
    private final Archive<?> archive;

    /** For ShrinkWrap. */
    public StoredWar(Archive<?> archive) {
        this.archive = archive;
    }

    @Override
    public void exportTo(OutputStream target) {
        ZipOutputStream zip = new ZipOutputStream(target);
        zip.setLevel(Deflater.NO_COMPRESSION);
        try {
            for (Node node : archive.getContent().values()) {
                if (node.getAsset() != null) {
                    zip.putNextEntry(new ZipEntry(node.getPath().get().substring(1)));
                    try (InputStream content = node.getAsset().openStream()) {
                        content.transferTo(zip);
                    }
                }
            }
            zip.finish();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void exportTo(File file) {
        try (OutputStream target = Files.newOutputStream(file.toPath())) {
            exportTo(target);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Replaces the file in any case: adapters create it first. */
    @Override
    public void exportTo(File file, boolean overwrite) {
        exportTo(file);
    }

    @Override
    public InputStream exportAsInputStream() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        exportTo(bytes);
        return new ByteArrayInputStream(bytes.toByteArray());
    }

    @Override
    public <T extends Assignable> T as(Class<T> type) {
        return archive.as(type);
    }
}
