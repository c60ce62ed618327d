package dev.limiter.jaxrs.internal.form;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.Charset;

/** The body of a form of which the limiter has read the beginning: the next reader finds all of it. */
public final class ReplayableBody extends InputStream {
    /** As much as servlet containers usually read into their parameters. Only a form that shadow limits let pass is as large. */
    static final int MOST_BYTES = 2 * 1024 * 1024;

    private final Charset charset;
    private InputStream body;

    /**
     * @param beginning what has been read
     * @param rest what follows
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
     * All that has not been read, which can still be read afterwards.
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
