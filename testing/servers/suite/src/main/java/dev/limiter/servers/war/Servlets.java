package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import dev.limiter.Stage;
import dev.limiter.StoreUnavailableException;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.MultipartConfig;
import jakarta.servlet.annotation.WebListener;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;

/** Servlets with limits, which are found and counted as those of resources. */
public final class Servlets {
    private Servlets() {}

    /** Answers with what a form says, if there is one. */
    public abstract static class Answering extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getParameter("status") != null) {
                response.setStatus(Integer.parseInt(request.getParameter("status")));
            }
            response.getWriter().print("served");
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String rest = request.getParameter("rest");
            response.getWriter().print(request.getParameter("name") + " and " + (rest == null ? 0 : rest.length()));
        }
    }

    /** No caller is authenticated here. */
    @WebServlet("/s/caller")
    @RateLimited(name = "caller", key = "{user|ip}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public static class Caller extends Answering {
        private static final long serialVersionUID = 1L;
    }

    @WebServlet("/s/header")
    @RateLimited(
            name = "header",
            key = "{header:X-Api-Key}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h")
    public static class Header extends Answering {
        private static final long serialVersionUID = 1L;
    }

    @WebServlet("/s/cookie")
    @RateLimited(
            name = "cookie",
            key = "{cookie:session}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h")
    public static class Cookie extends Answering {
        private static final long serialVersionUID = 1L;
    }

    @WebServlet("/s/query")
    @RateLimited(name = "query", key = "{query:q}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public static class Query extends Answering {
        private static final long serialVersionUID = 1L;
    }

    @WebServlet("/s/form")
    @RateLimited(name = "form", key = "{form:name}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public static class Form extends Answering {
        private static final long serialVersionUID = 1L;
    }

    /** Reads what a form of several parts has, by its parts. */
    @WebServlet("/s/parts")
    @MultipartConfig
    @RateLimited(name = "parts", key = "{form:name}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public static class Parts extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            byte[] name = request.getPart("name").getInputStream().readAllBytes();
            response.getWriter().print(new String(name, StandardCharsets.UTF_8));
        }
    }

    @WebServlet("/s/verb")
    @RateLimited(name = "verb", key = "{verb}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public static class Verb extends Answering {
        private static final long serialVersionUID = 1L;
    }

    /** Passes once. */
    @WebServlet("/s/once")
    @RateLimited(name = "once", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 1, window = "1h")
    public static class Once extends Answering {
        private static final long serialVersionUID = 1L;
    }

    @WebServlet("/s/failing")
    @RateLimited(
            name = "failing",
            key = "'all'",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h",
            countOn = "401,5xx")
    public static class Failing extends Answering {
        private static final long serialVersionUID = 1L;
    }

    /** Asks a limiter whose store is away, by itself. */
    @WebServlet(urlPatterns = "/s/asking", asyncSupported = true)
    public static class Asking extends Answering {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            if ("async".equals(request.getQueryString())) {
                request.startAsync();
            }
            throw new StoreUnavailableException("Redis at 192.0.2.7:6379 gave no decision", null);
        }
    }

    /** One limit is decided before all other filters, and one after them. */
    @WebServlet("/s/early")
    @RateLimited(
            name = "early",
            key = "{ip}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h",
            stage = Stage.BEFORE_AUTHENTICATION)
    @RateLimited(name = "late", key = "{user|ip}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public static class Early extends Answering {
        private static final long serialVersionUID = 1L;
    }

    /** Mapped by a web.xml. */
    @RateLimited(name = "declared", key = "{user|'all'}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public static class Declared extends Answering {
        private static final long serialVersionUID = 1L;
    }

    /** Answers each method itself. */
    @WebServlet("/s/serving")
    @RateLimited(name = "serving", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public static class Serving extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print("served");
        }
    }

    /** Without limits: another servlet answers, which has one. */
    @WebServlet(urlPatterns = "/s/leading/*", asyncSupported = true)
    public static class Leading extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            switch (request.getPathInfo()) {
                case "/named" ->
                    getServletContext().getNamedDispatcher(Once.class.getName()).forward(request, response);
                case "/early" ->
                    getServletContext()
                            .getNamedDispatcher(Early.class.getName())
                            .forward(request, response);
                case "/dispatched" -> request.startAsync().dispatch("/s/asking");
                case "/included" -> request.getRequestDispatcher("/s/once").include(request, response);
                default -> response.sendError(404);
            }
        }
    }

    /** Registered in code. */
    @RateLimited(
            name = "later",
            key = "{attribute:tenant|ip}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h")
    public static class Later extends Answering {
        private static final long serialVersionUID = 1L;
    }

    /** Registers a filter after those that are there, and a servlet. */
    @WebListener
    public static class Registering implements ServletContextListener {
        @Override
        public void contextInitialized(ServletContextEvent event) {
            ServletContext application = event.getServletContext();
            application
                    .addFilter("registered in code", ServletSignIn.class)
                    .addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), true, "/s/early");
            application.addServlet("later", Later.class).addMapping("/s/later");
        }
    }

    /** Must not be deployed with a setting that does not exist. */
    @WebServlet("/wrong")
    @RateLimited(name = "right", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public static class Right extends Answering {
        private static final long serialVersionUID = 1L;
    }

    /** Must not be deployed: there is no {@code usr}. */
    @WebServlet("/wrong")
    @RateLimited(name = "wrong", key = "{usr}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public static class Misspelt extends Answering {
        private static final long serialVersionUID = 1L;
    }
}
