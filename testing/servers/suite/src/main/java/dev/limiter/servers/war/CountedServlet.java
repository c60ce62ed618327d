package dev.limiter.servers.war;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** A servlet, limited as a resource is. */
@WebServlet(urlPatterns = "/servlet/*", asyncSupported = true)
@Counted
public class CountedServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    /** Payara ends an asynchronous request whose servlet has thrown when it times out. */
    private static final long SHORT_MILLIS = 500;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        switch (String.valueOf(request.getPathInfo())) {
            case "/later" -> later(request.startAsync());
            case "/late-write" -> lateWrite(request.startAsync());
            case "/held" -> {
                response.flushBuffer();
                Gate.await();
                response.getWriter().print("held");
            }
            case "/throws-async" -> {
                request.startAsync().setTimeout(SHORT_MILLIS);
                throw new ServletException("after it became asynchronous, on purpose");
            }
            case "/known" -> known(request, request.startAsync());
            case "/times-out" -> recovered(request.startAsync());
            case "/recovers" -> {
                recovered(request.startAsync());
                throw new ServletException("recovered by a listener, on purpose");
            }
            case "/unmapped" -> throw new ServletException("on purpose");
            case "/failing" -> response.setStatus(503);
            default -> response.getWriter().print("servlet");
        }
    }

    private static void recovered(AsyncContext context) {
        context.setTimeout(SHORT_MILLIS);
        context.addListener(new Recovery());
    }

    /** Tells at the time-out whether request and event have the context that was started. */
    private static void known(HttpServletRequest request, AsyncContext started) {
        boolean sameOfRequest = request.getAsyncContext() == started;
        started.setTimeout(SHORT_MILLIS);
        started.addListener(new Recovery() {
            @Override
            public void onTimeout(AsyncEvent event) throws IOException {
                boolean same = sameOfRequest && event.getAsyncContext() == started;
                started.getResponse().getWriter().print(same ? "the same" : "another");
                started.complete();
            }
        });
    }

    /** Writes until the client is gone. */
    private static void lateWrite(AsyncContext context) {
        Gate.whenOpen(() -> {
            try {
                OutputStream output = context.getResponse().getOutputStream();
                while (true) {
                    output.write(new byte[64 * 1024]);
                    output.flush();
                }
            } catch (IOException | IllegalStateException gone) {
                complete(context);
            }
        });
    }

    private static void complete(AsyncContext context) {
        try {
            context.complete();
        } catch (IllegalStateException over) {
            // the server has ended it by itself
        }
    }

    /** Dispatches to a path that ends when a test opens the gate. */
    private static class Recovery implements AsyncListener {
        @Override
        public void onError(AsyncEvent event) {
            event.getAsyncContext().dispatch("/servlet/held");
        }

        @Override
        public void onComplete(AsyncEvent event) {}

        @Override
        public void onTimeout(AsyncEvent event) throws IOException {
            onError(event);
        }

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }

    private static void later(AsyncContext context) {
        Gate.whenOpen(() -> {
            try {
                context.getResponse().getWriter().print("later");
            } catch (IOException gone) {
                throw new UncheckedIOException(gone);
            }
            context.complete();
        });
    }
}
