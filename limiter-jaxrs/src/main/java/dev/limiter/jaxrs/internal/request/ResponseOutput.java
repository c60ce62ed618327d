package dev.limiter.jaxrs.internal.request;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * The body of a response as the server takes it. If a write fails, the client is gone, and the
 * request ends with its leases: Payara reports nothing else about an event stream, and a 5xx about
 * a stream of HTTP/2 that the client has reset.
 */
final class ResponseOutput extends FilterOutputStream {
    private final RequestState state;

    ResponseOutput(OutputStream body, RequestState state) {
        super(body);
        this.state = state;
    }

    @Override
    public void write(int one) throws IOException {
        try {
            out.write(one);
        } catch (IOException gone) {
            throw brokenOff(gone);
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException gone) {
            throw brokenOff(gone);
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            out.flush();
        } catch (IOException gone) {
            throw brokenOff(gone);
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    private IOException brokenOff(IOException gone) {
        state.clientLeft();
        return gone;
    }
}
