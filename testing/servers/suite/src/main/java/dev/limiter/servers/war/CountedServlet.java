package dev.limiter.servers.war;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A servlet, limited as a resource is. */
@WebServlet(urlPatterns = "/servlet/*", asyncSupported = true)
@Counted
public class CountedServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        switch (String.valueOf(request.getPathInfo())) {
            case "/later" -> later(request.startAsync());
            case "/unmapped" -> throw new ServletException("on purpose");
            case "/failing" -> response.setStatus(503);
            default -> response.getWriter().print("servlet");
        }
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
