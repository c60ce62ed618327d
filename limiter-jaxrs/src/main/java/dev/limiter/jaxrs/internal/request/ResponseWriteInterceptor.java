package dev.limiter.jaxrs.internal.request;

import jakarta.annotation.Priority;
import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.IOException;

/**
 * Ends the leases of a request after the last byte of its body was written, before the client
 * can have seen it. A small body is still in the server's buffer then. A client that asks again
 * at once must not meet its own lease.
 */
@Priority(0)
public final class ResponseWriteInterceptor implements WriterInterceptor {
    /** A body that Jersey writes as a whole, before its parts come. */
    private static final String CHUNKS = "org.glassfish.jersey.server.ChunkedOutput";

    @Override
    public void aroundWriteTo(WriterInterceptorContext writing) throws IOException {
        if (!(writing.getProperty(RateLimitFilter.STATE) instanceof RequestState state)) {
            writing.proceed();
            return;
        }
        boolean inParts =
                RateLimitResponseFilter.isEventStream(writing.getMediaType()) || isChunked(writing.getEntity());
        if (inParts || state.isConditional()) {
            writing.setOutputStream(new ResponseOutput(writing.getOutputStream(), state));
        }
        if (inParts) {
            writing.proceed();
            return;
        }
        try {
            writing.proceed();
        } catch (IOException | RuntimeException unwritten) {
            if (isOfTheConnection(unwritten)) {
                state.brokeOff();
            } else {
                state.releaseLeases(); // the status is not known yet: the service may make another response
            }
            throw unwritten;
        }
        state.finished();
    }

    /** Whether the exception is of the connection; Jersey wraps it. */
    private static boolean isOfTheConnection(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException) {
                return true;
            }
        }
        return false;
    }

    private static boolean isChunked(Object entity) {
        for (Class<?> type = entity == null ? null : entity.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(CHUNKS)) {
                return true;
            }
        }
        return false;
    }
}
