package dev.limiter.jaxrs.internal.servlet;

import dev.limiter.jaxrs.internal.request.RequestState;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;

/**
 * A request that ends when the application completes it. Tomcat tells no listener of the end if
 * it cannot write the response any more.
 */
final class LifecycleRequest extends HttpServletRequestWrapper {
    private final HttpServletResponse response;
    private final RequestState state;

    LifecycleRequest(HttpServletRequest request, HttpServletResponse response, RequestState state) {
        super(request);
        this.response = response;
        this.state = state;
    }

    @Override
    public AsyncContext startAsync() {
        return new Async(super.startAsync());
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse answer) {
        return new Async(super.startAsync(request, answer));
    }

    @Override
    public AsyncContext getAsyncContext() {
        return new Async(super.getAsyncContext());
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

    /** Hands every call on. */
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
            context.addListener(listener);
        }

        @Override
        public void addListener(AsyncListener listener, ServletRequest request, ServletResponse answer) {
            context.addListener(listener, request, answer);
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
}
