package dev.limiter.servers.war;

import dev.limiter.jaxrs.RateLimits;
import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Reserves and settles as a resource does. */
@WebServlet(urlPatterns = "/estimating/*")
@Estimated
public class EstimatingServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Inject
    private transient RateLimits limits;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        limits.reserve("tokens", 9_000);
        limits.settle("tokens", Long.parseLong(request.getParameter("used")));
        response.getWriter().print(limits.remaining("tokens"));
    }
}
