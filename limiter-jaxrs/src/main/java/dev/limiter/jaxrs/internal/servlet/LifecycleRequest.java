package dev.limiter.jaxrs.internal.servlet;

import dev.limiter.jaxrs.internal.request.RequestState;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.Part;
import java.io.BufferedReader;
import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;
import java.util.Collection;
import java.util.Enumeration;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A request that tells its state what the container may not tell. It ends when the application
 * completes it: Tomcat tells no listener of the end if it cannot write the response any more. And
 * it notes if body or parameters could not be read: the client was the cause, whatever the status.
 */
final class LifecycleRequest extends HttpServletRequestWrapper {
    private final HttpServletResponse response;
    private final RequestState state;
    private ServletInputStream body;
    private BufferedReader text;
    private Async async;

    LifecycleRequest(HttpServletRequest request, HttpServletResponse response, RequestState state) {
        super(request);
        this.response = response;
        this.state = state;
    }

    @Override
    public AsyncContext startAsync() {
        async = new Async(super.startAsync());
        return async;
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse answer) {
        async = new Async(super.startAsync(request, answer));
        return async;
    }

    @Override
    public AsyncContext getAsyncContext() {
        AsyncContext context = super.getAsyncContext();
        if (async == null || async.context != context || async.dispatched) {
            async = new Async(context); // started, or started again, behind this wrapper
        }
        return async;
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        if (body == null) {
            body = new Body(super.getInputStream());
        }
        return body;
    }

    @Override
    public BufferedReader getReader() throws IOException {
        if (text == null) {
            text = new BufferedReader(new Text(super.getReader()));
        }
        return text;
    }

    @Override
    public String getParameter(String name) {
        return noting(() -> super.getParameter(name));
    }

    @Override
    public String[] getParameterValues(String name) {
        return noting(() -> super.getParameterValues(name));
    }

    @Override
    public Map<String, String[]> getParameterMap() {
        return noting(super::getParameterMap);
    }

    @Override
    public Enumeration<String> getParameterNames() {
        return noting(super::getParameterNames);
    }

    /** Jetty and Tomcat 11 throw what becomes a 400 only behind all filters. */
    private <T> T noting(Supplier<T> parameters) {
        try {
            return parameters.get();
        } catch (RuntimeException unread) {
            state.clientFailed();
            throw unread;
        }
    }

    /** Servers disagree on what they throw if the body ends early. */
    @Override
    public Collection<Part> getParts() throws IOException, ServletException {
        try {
            return super.getParts();
        } catch (IOException | ServletException | RuntimeException unread) {
            state.clientFailed();
            throw unread;
        }
    }

    @Override
    public Part getPart(String name) throws IOException, ServletException {
        try {
            return super.getPart(name);
        } catch (IOException | ServletException | RuntimeException unread) {
            state.clientFailed();
            throw unread;
        }
    }

    /** Undertow closes a reader under the thread that reads, which then meets a null. */
    private final class Text extends FilterReader {
        Text(Reader reader) {
            super(reader);
        }

        @Override
        public int read(char[] characters, int offset, int length) throws IOException {
            try {
                return in.read(characters, offset, length);
            } catch (IOException | RuntimeException unread) {
                state.clientFailed();
                throw unread;
            }
        }
    }

    private final class Body extends ServletInputStream {
        private final ServletInputStream stream;

        Body(ServletInputStream stream) {
            this.stream = stream;
        }

        @Override
        public int read() throws IOException {
            try {
                return stream.read();
            } catch (IOException | RuntimeException unread) {
                state.clientFailed();
                throw unread;
            }
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            try {
                return stream.read(bytes, offset, length);
            } catch (IOException | RuntimeException unread) {
                state.clientFailed();
                throw unread;
            }
        }

        @Override
        public int available() throws IOException {
            return stream.available();
        }

        @Override
        public boolean isFinished() {
            return stream.isFinished();
        }

        @Override
        public boolean isReady() {
            return stream.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            stream.setReadListener(new ReadListener() {
                @Override
                public void onDataAvailable() throws IOException {
                    listener.onDataAvailable();
                }

                @Override
                public void onAllDataRead() throws IOException {
                    listener.onAllDataRead();
                }

                @Override
                public void onError(Throwable unread) {
                    if (unread instanceof IOException) {
                        state.clientFailed();
                    }
                    listener.onError(unread);
                }
            });
        }

        @Override
        public void close() throws IOException {
            stream.close();
        }
    }

    /**
     * Ends the request before the container does, so before the client can have seen the last
     * byte.
     */
    private void end() {
        int status;
        try {
            status = response.getStatus();
        } catch (IllegalStateException recycled) {
            state.brokeOff(); // the container has given the response up
            return;
        }
        state.ended(status);
    }

    /** Hands every call on. Its listeners hear of it, as the application knows no other. */
    private final class Async implements AsyncContext {
        private final AsyncContext context;
        private volatile boolean dispatched;

        Async(AsyncContext context) {
            this.context = context;
        }

        @Override
        public void complete() {
            if (!dispatched) {
                end();
            }
            context.complete();
        }

        @Override
        public void dispatch() {
            context.dispatch();
            dispatched = true;
        }

        @Override
        public void dispatch(String path) {
            context.dispatch(path);
            dispatched = true;
        }

        @Override
        public void dispatch(ServletContext application, String path) {
            context.dispatch(application, path);
            dispatched = true;
        }

        @Override
        public ServletRequest getRequest() {
            return context.getRequest();
        }

        @Override
        public ServletResponse getResponse() {
            return context.getResponse();
        }

        @Override
        public boolean hasOriginalRequestAndResponse() {
            return context.hasOriginalRequestAndResponse();
        }

        @Override
        public void start(Runnable work) {
            context.start(work);
        }

        @Override
        public void addListener(AsyncListener listener) {
            context.addListener(new ApplicationListener(listener, this, state));
        }

        @Override
        public void addListener(AsyncListener listener, ServletRequest request, ServletResponse answer) {
            context.addListener(new ApplicationListener(listener, this, state), request, answer);
        }

        @Override
        public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
            return context.createListener(type);
        }

        @Override
        public void setTimeout(long millis) {
            context.setTimeout(millis);
        }

        @Override
        public long getTimeout() {
            return context.getTimeout();
        }
    }

    /** A listener of the application, and the context that it was added to. */
    private record ApplicationListener(AsyncListener listener, AsyncContext context, RequestState state)
            implements AsyncListener {
        @Override
        public void onComplete(AsyncEvent event) throws IOException {
            listener.onComplete(of(event));
        }

        @Override
        public void onTimeout(AsyncEvent event) throws IOException {
            listener.onTimeout(of(event));
        }

        /** The state hears of a reset first: the listener may answer 5xx and end the request. */
        @Override
        public void onError(AsyncEvent event) throws IOException {
            if (event.getThrowable() instanceof IOException) {
                state.clientFailed();
            }
            listener.onError(of(event));
        }

        /** The event has the next context. */
        @Override
        public void onStartAsync(AsyncEvent event) throws IOException {
            listener.onStartAsync(event);
        }

        private AsyncEvent of(AsyncEvent event) {
            return new AsyncEvent(
                    context, event.getSuppliedRequest(), event.getSuppliedResponse(), event.getThrowable());
        }
    }
}
