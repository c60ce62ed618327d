package dev.limiter.jaxrs.internal.form;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.Charset;

/** The body of a form whose beginning the limiter has read. The next reader finds all of it. */
public final class ReplayableBody extends InputStream {
    /**
     * The limit of usual servlet containers for parameters. Only a form that shadow limits let
     * pass can be so large.
     */
    static final int MOST_BYTES = 2 * 1024 * 1024;

    private final Charset charset;
    private InputStream body;

    /**
     * @param beginning the bytes that have been read
     * @param rest the other bytes
     * @param charset of its text
     */
    ReplayableBody(byte[] beginning, InputStream rest, Charset charset) {
        this.body = new SequenceInputStream(new ByteArrayInputStream(beginning), rest);
        this.charset = charset;
    }

    public Charset charset() {
        return charset;
    }

    /**
     * The rest of the body, which can still be read afterwards.
     *
     * @throws IllegalStateException if it is more than {@link #MOST_BYTES}
     */
    public byte[] toTheEnd() throws IOException {
        byte[] all = body.readNBytes(MOST_BYTES + 1);
        if (all.length > MOST_BYTES) {
            throw new IllegalStateException("the form is larger than the " + MOST_BYTES
                    + " bytes that are read into parameters behind a limit with {form:...}");
        }
        body = new ByteArrayInputStream(all);
        return all;
    }

    @Override
    public int read() throws IOException {
        return body.read();
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        return body.read(into, offset, length);
    }

    @Override
    public int available() throws IOException {
        return body.available();
    }

    @Override
    public void close() throws IOException {
        body.close();
    }
}
