package dev.limiter.example.wars;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;

/** A caller with the header {@code Leaves} has left before the first byte of the response. */
@WebFilter(urlPatterns = "/*", asyncSupported = true)
public class LeavingCaller extends HttpFilter {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        chain.doFilter(request, request.getHeader("Leaves") == null ? response : new Unread(response));
    }

    /** A response whose connection is closed. */
    static final class Unread extends HttpServletResponseWrapper {
        Unread(HttpServletResponse response) {
            super(response);
        }

        @Override
        public ServletOutputStream getOutputStream() {
            return new ClosedStream();
        }
    }

    /** Fails at the first byte. */
    static final class ClosedStream extends ServletOutputStream {
        @Override
        public void write(int b) throws IOException {
            throw new IOException("the caller has left");
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            throw new IllegalStateException("this response is written by its thread");
        }
    }
}
