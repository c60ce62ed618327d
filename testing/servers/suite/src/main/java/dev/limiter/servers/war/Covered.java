package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.Enforcement;
import dev.limiter.RateLimitExempt;
import dev.limiter.RateLimited;
import jakarta.servlet.GenericServlet;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.NameBinding;
import jakarta.ws.rs.OPTIONS;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.ext.Provider;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Endpoints with and without limits, each in a way of its own. */
public final class Covered {
    private Covered() {}

    /** Lists nothing: the server finds what is in the WAR. */
    @ApplicationPath("/api/")
    public static class Scanning extends Application {}

    /** A method of a protocol that extends HTTP. */
    @HttpMethod("LOCK")
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Lock {}

    /** Of a filter that is bound to methods. */
    @NameBinding
    @Target({ElementType.METHOD, ElementType.TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Bound {}

    /** Does nothing. */
    @Bound
    @Provider
    public static class BoundFilter implements ContainerRequestFilter {
        @Override
        public void filter(ContainerRequestContext request) {
            // nothing
        }
    }

    /** A method of each kind. */
    @Path("/kinds")
    public static class Kinds {
        @GET
        @RateLimited(name = "kinds", key = "{ip}", algorithm = Algorithm.GCRA, limit = 100, window = "1s")
        public String limited() {
            return "limited";
        }

        @POST
        @Path("/{id: \\d+}/")
        @Bound
        public String unlimited() {
            return "unlimited";
        }

        @PUT
        @RateLimitExempt
        public String exempt() {
            return "exempt";
        }

        @DELETE
        @RateLimited(
                name = "trial",
                key = "{ip}",
                algorithm = Algorithm.GCRA,
                limit = 100,
                window = "1s",
                enforcement = Enforcement.SHADOW)
        public String onTrial() {
            return "on trial";
        }

        @Lock
        public String lock() {
            return "lock";
        }

        @GET
        @Path("off")
        @RateLimited(name = "off", key = "{ip}", algorithm = Algorithm.GCRA, limit = 100, window = "1s")
        public String switchedOff() {
            return "off";
        }

        @OPTIONS
        @Path("own")
        public String options() {
            return "own";
        }
    }

    /** What is inherited. */
    public abstract static class Inherited {
        @GET
        public String get() {
            return "get";
        }
    }

    /** With a limit of its class. */
    @Path("one")
    @RateLimited(name = "one", key = "{ip}", algorithm = Algorithm.GCRA, limit = 100, window = "1s")
    public static class One extends Inherited {}

    /** The same method, without one. */
    @Path("two")
    public static class Two extends Inherited {}

    /** Annotations of an interface. */
    public interface Contract {
        @GET
        @RateLimited(name = "contract", key = "{ip}", algorithm = Algorithm.GCRA, limit = 100, window = "1s")
        String limited();

        @POST
        String unlimited();
    }

    /** Annotated by its interface. */
    @Path("contract")
    public static class Implementing implements Contract {
        @Override
        public String limited() {
            return "limited";
        }

        @Override
        public String unlimited() {
            return "unlimited";
        }
    }

    /** All kinds of locators. */
    @Path("to")
    public static class Locators {
        @Path("sub")
        public Sub sub() {
            return new Sub();
        }

        @Path("again")
        public Class<Sub> again() {
            return Sub.class;
        }

        @Path("object/{id}")
        public Object object() {
            return new Late();
        }

        @Path("any")
        public Class<?> any() {
            return Late.class;
        }

        @Path("plain")
        public Runnable plain() {
            return null;
        }

        @Path("purpose")
        @RateLimitExempt
        public Object onPurpose() {
            return new Late();
        }

        @Path("node")
        public Node node() {
            return new Node();
        }
    }

    /** Reached by two locators. */
    public static class Sub {
        @GET
        @RateLimited(name = "sub", key = "{ip}", algorithm = Algorithm.GCRA, limit = 100, window = "1s")
        public String limited() {
            return "limited";
        }

        @POST
        public String unlimited() {
            return "unlimited";
        }
    }

    /** A locator of its own class. */
    public static class Node {
        @GET
        public String get() {
            return "node";
        }

        @Path("{child}")
        public Node child() {
            return this;
        }
    }

    /** Known when it is first asked. */
    public static class Late {
        @GET
        public String get() {
            return "late";
        }
    }

    /** A servlet without a limit. */
    @WebServlet({"/s/plain/*", "/s/again"})
    public static class Plain extends HttpServlet {
        private static final long serialVersionUID = 1L;
    }

    /** A servlet that can have no limit, mapped by a web.xml. */
    public static class Generic extends GenericServlet {
        private static final long serialVersionUID = 1L;

        @Override
        public void service(ServletRequest request, ServletResponse response) {
            // nothing
        }
    }

    /** A servlet with a limit. */
    @WebServlet("/s/limited")
    @RateLimited(name = "servlet", key = "{ip}", algorithm = Algorithm.GCRA, limit = 100, window = "1s")
    public static class Limited extends HttpServlet {
        private static final long serialVersionUID = 1L;
    }

    /** A servlet without a limit, on purpose. */
    @WebServlet("/s/exempt")
    @RateLimitExempt
    public static class Exempt extends HttpServlet {
        private static final long serialVersionUID = 1L;
    }
}
