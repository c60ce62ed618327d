package dev.limiter.example.wars;

import dev.limiter.RateLimitExempt;
import dev.limiter.jaxrs.ServletLimits;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Which endpoints the limiter knows, a line for each. */
@WebServlet("/endpoints")
@RateLimitExempt
public class EndpointsServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        for (var endpoint : ServletLimits.of(getServletContext()).endpoints()) {
            response.getWriter().println(endpoint.coverage() + " " + endpoint + " " + endpoint.limits());
        }
    }
}
