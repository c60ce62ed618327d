package dev.limiter.jaxrs.internal.request;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * The body of a response that goes on, one event after the other. When it breaks off the client is gone, and its leases with it:
 * Payara says no more of such a request.
 */
final class EventStreamOutput extends FilterOutputStream {
    private final RequestState state;

    EventStreamOutput(OutputStream body, RequestState state) {
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
        state.brokeOff();
        return gone;
    }
}
