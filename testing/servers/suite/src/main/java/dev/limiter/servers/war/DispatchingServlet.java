package dev.limiter.servers.war;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Without limits of its own: others answer for it. */
@WebServlet(urlPatterns = "/dispatching/*", asyncSupported = true)
public class DispatchingServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        switch (request.getPathInfo()) {
            case "/resource" -> request.startAsync().dispatch("/strange/plain");
            case "/servlet" -> request.startAsync().dispatch("/servlet");
            case "/forward" -> request.getRequestDispatcher("/servlet").forward(request, response);
            case "/gone" -> response.sendError(409);
            case "/again" -> again(request, response);
            default -> response.sendError(404);
        }
    }

    /** Three times asynchronous, before and after a resource that is limited. */
    private static void again(HttpServletRequest request, HttpServletResponse response) throws IOException {
        int times = request.getAttribute("times") instanceof Integer before ? before + 1 : 1;
        request.setAttribute("times", times);
        AsyncContext context = request.startAsync();
        if (times < 3) {
            context.dispatch();
        } else {
            context.dispatch("/servlet/later");
        }
    }
}
