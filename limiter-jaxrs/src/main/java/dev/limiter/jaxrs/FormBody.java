package dev.limiter.jaxrs;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;

/** The body of a form of which the limiter has read the beginning: whoever comes next finds all of it. */
final class FormBody extends InputStream {
    private InputStream body;

    /**
     * @param beginning what has been read
     * @param rest what follows
     */
    FormBody(byte[] beginning, InputStream rest) {
        body = new SequenceInputStream(new ByteArrayInputStream(beginning), rest);
    }

    /** All that nobody else has read, which can still be read afterwards. */
    byte[] toTheEnd() throws IOException {
        byte[] all = body.readAllBytes();
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
