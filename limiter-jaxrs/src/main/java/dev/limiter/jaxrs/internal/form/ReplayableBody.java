package dev.limiter.jaxrs.internal.form;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.Charset;

/** The body of a form whose beginning the limiter has read. The next reader finds all of it. */
public final class ReplayableBody extends FilterInputStream {
    /**
     * The limit of usual servlet containers for parameters. Only a form that shadow limits let
     * pass can be so large.
     */
    static final int MOST_BYTES = 2 * 1024 * 1024;

    private final Charset charset;

    /**
     * @param beginning the bytes that have been read
     * @param rest the other bytes
     * @param charset of its text
     */
    ReplayableBody(byte[] beginning, InputStream rest, Charset charset) {
        super(new SequenceInputStream(new ByteArrayInputStream(beginning), rest));
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
        byte[] all = in.readNBytes(MOST_BYTES + 1);
        if (all.length > MOST_BYTES) {
            throw new IllegalStateException("the form is larger than " + MOST_BYTES
                    + " bytes, the most that is read into parameters after a limit with {form:...}");
        }
        in = new ByteArrayInputStream(all);
        return all;
    }
}
