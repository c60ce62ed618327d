package dev.limiter.jaxrs.internal.declaration;

import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.LEAKY_BUCKET;
import static dev.limiter.Algorithm.UNIFORM;
import static dev.limiter.Stage.BEFORE_MATCHING;

import dev.limiter.RateLimitExempt;
import dev.limiter.RateLimited;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/**
 * Declarations that are right or wrong by their place: path, parameters, class, kind of class, or
 * the limits around them.
 */
final class PlacedDeclarations {
    private PlacedDeclarations() {}

    /**
     * What is said of a method, line by line: its problems, otherwise its warnings, otherwise its
     * limits. On a class, the problems of all its methods together.
     */
    @Retention(RetentionPolicy.RUNTIME)
    @interface Expected {
        String[] value();
    }

    @Path("wrong/{show}")
    interface Wrong {
        @GET
        @RateLimited(key = "{path:shwo}", algorithm = GCRA, limit = 5, window = "10s")
        @Expected("@RateLimited.key on Wrong.noSuchPath: no path parameter \"shwo\" in \"wrong/{show}\"; did you mean"
                + " \"show\"?")
        void noSuchPath();

        @GET
        @RateLimited(name = "a", key = "{ip}", algorithm = LEAKY_BUCKET, limit = 5, window = "1s", maxWait = "1s")
        @RateLimited(name = "b", key = "{user}", algorithm = LEAKY_BUCKET, limit = 5, window = "1s", maxWait = "1s")
        @Expected(
                "@RateLimited.algorithm on Wrong.twoQueues: a request can wait for one LEAKY_BUCKET only, and here are 2:"
                        + " a, b; keep one")
        void twoQueues();

        @GET
        @RateLimited(name = "same", key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
        @RateLimited(name = "same", key = "{user}", algorithm = GCRA, limit = 5, window = "10s")
        @Expected(
                "@RateLimited.name on Wrong.twice: \"same\" names two limits of one request; a name is one bucket, give"
                        + " each a name of its own")
        void twice();

        @GET
        @LoginProtection
        @Expected({
            "@RateLimited.window in @LoginProtection on Wrong.login: window is missing; write how long 5 units last,"
                    + " such as \"10s\"",
            "@RateLimited.name in @LoginProtection on Wrong.login: is missing; there are 2 limits here, so each"
                    + " needs a name",
        })
        void login();
    }

    @RateLimited(name = "login", key = "{ip}", algorithm = GCRA, limit = 5)
    @RateLimited(key = "{user}", algorithm = GCRA, limit = 5, window = "10s")
    @Retention(RetentionPolicy.RUNTIME)
    @interface LoginProtection {}

    @Path("costs")
    interface Cost {
        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s", cost = "{path:rows|'20'}")
        @Expected("@RateLimited.cost on Cost.noSuchPath: no path parameter \"rows\" in \"costs\"; there is none")
        void noSuchPath();
    }

    @Expected("@RateLimited.name on Overloaded.get: \"Overloaded.get\" is also the name of the limit on"
            + " dev.limiter.jaxrs.internal.declaration.PlacedDeclarations$Overloaded.get(); give both a name")
    interface Overloaded {
        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
        void get();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
        void get(String text);
    }

    @Expected("@RateLimited on Hidden.get: the method is not public, so no request reaches it; make it public")
    static class Hidden {
        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
        void get() {}
    }

    @RateLimited(
            name = "flood",
            key = "#{endpoint}#{request.pathParameter('rows')}",
            algorithm = GCRA,
            limit = 5,
            window = "10s",
            stage = BEFORE_MATCHING)
    @Expected({
        "@RateLimited.key on EverythingAtOnce: \"#{endpoint}\" is not known before matching; count on \"{ip}\", or"
                + " choose a later stage",
        "@RateLimited.key on EverythingAtOnce: \"#{request.pathParameter('rows')}\" is not known before matching; count"
                + " on \"{ip}\", or choose a later stage",
    })
    static class EverythingAtOnce extends Application {}

    @RateLimited(
            name = "flood",
            key = "{endpoint}",
            algorithm = GCRA,
            limit = 5,
            window = "10s",
            cost = "{path:rows|'1'}",
            stage = BEFORE_MATCHING)
    @Expected({
        "@RateLimited.key on Everything: \"{endpoint}\" is not known before matching; count on \"{ip}\", or choose a"
                + " later stage",
        "@RateLimited.cost on Everything: \"{path:rows}\" is not known before matching; choose a later stage",
    })
    static class Everything extends Application {}

    @Path("exempt")
    @RateLimited(name = "api", key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
    interface Exempt {
        @GET
        @RateLimitExempt("apii")
        @Expected("@RateLimitExempt.value on Exempt.misspelt: \"apii\" names no limit of the class or the application;"
                + " did you mean \"api\"?")
        void misspelt();
    }

    @Expected(
            "@RateLimitExempt on Locator.sub: the method answers no requests itself; annotate a resource method, or for"
                    + " a locator the class that it returns")
    interface Locator {
        @Path("sub")
        @RateLimitExempt
        Exempt sub();

        @GET
        void get();
    }

    @Path("class")
    @RateLimited(name = "show", key = "{path:show}", algorithm = GCRA, limit = 5, window = "10s")
    @Expected(
            "@RateLimited.key on OnClass: no path parameter \"show\" in any path of the class; did you mean \"shop\"?")
    interface OnClass {
        @GET
        @Path("{shop}")
        void get();
    }

    interface OtherBodies {
        @POST
        @Consumes({"application/x-www-form-urlencoded", "application/json, text/plain;charset=utf-8"})
        @RateLimited(name = "login", key = "{form:name~fold}", algorithm = GCRA, limit = 5, window = "10s")
        @RateLimited(name = "ip", key = "{ip}", algorithm = GCRA, limit = 50, window = "10s")
        @Expected("LIM10 dev.limiter.jaxrs.internal.declaration.PlacedDeclarations$OtherBodies.declared(): \"login\""
                + " counts a field of a form, and the method also takes application/json, text/plain: such a"
                + " request is counted on its address. Let a method take forms alone, or acquire the limit in the"
                + " method")
        void declared();

        @POST
        @RateLimited(name = "login", key = "#{request.form('name')}", algorithm = GCRA, limit = 5, window = "10s")
        @RateLimited(name = "ip", key = "{ip}", algorithm = GCRA, limit = 50, window = "10s")
        @Expected("LIM10 dev.limiter.jaxrs.internal.declaration.PlacedDeclarations$OtherBodies.any(java.lang.String):"
                + " \"login\" counts a field of a form, and the method also takes */*: such a request is counted on its"
                + " address. Let a method take forms alone, or acquire the limit in the method")
        void any(String body);

        @GET
        @RateLimited(name = "login", key = "{form:name}", algorithm = GCRA, limit = 5, window = "10s")
        @RateLimited(name = "ip", key = "{ip}", algorithm = GCRA, limit = 50, window = "10s")
        @Expected(
                "LIM10 dev.limiter.jaxrs.internal.declaration.PlacedDeclarations$OtherBodies.byGet(): \"login\" counts"
                        + " a field of a form, and a GET has none: each request is counted on its address. Count"
                        + " {query:...}, or let the method take a POST")
        void byGet();
    }

    @Path("keys/{show: [0-9]+}")
    interface Keys {
        @GET
        @RateLimited(name = "pair", key = "{user}/{path:show}", algorithm = GCRA, limit = 5, window = "10s")
        @RateLimited(name = "each", key = "{user}", algorithm = GCRA, limit = 50, window = "10s")
        @Expected({
            "pair: GCRA 5 per 10s with burst 5, {user}/{path:show} → {ip}, cost 1, AFTER_AUTHENTICATION",
            "each: GCRA 50 per 10s with burst 50, {user} → {ip}, cost 1, AFTER_AUTHENTICATION",
        })
        void userAndPath();

        @POST
        @Consumes({"application/x-www-form-urlencoded", "multipart/form-data"})
        @RateLimited(name = "name", key = "{form:username~fold}", algorithm = UNIFORM, limit = 1, window = "10s")
        @RateLimited(name = "address", key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
        @Expected({
            "name: UNIFORM 1 per 10s, {form:username~fold} → {ip}, cost 1, AFTER_AUTHENTICATION",
            "address: GCRA 5 per 10s with burst 5, {ip}, cost 1, AFTER_AUTHENTICATION",
        })
        void chosenBesideAnAddress();
    }

    @RateLimited(name = "login", key = "{ip}", algorithm = GCRA, limit = 15, window = "10s")
    @RateLimited(name = "logins", key = "'all'", algorithm = GCRA, limit = 500, window = "10s")
    @Retention(RetentionPolicy.RUNTIME)
    @interface RightProtection {}

    @RateLimitExempt("api")
    @Retention(RetentionPolicy.RUNTIME)
    @interface NoApi {}

    @RateLimited(name = "api", key = "{ip}", algorithm = GCRA, limit = 60, window = "1m")
    @RateLimited(name = "reports", key = "{user}", algorithm = GCRA, limit = 6, window = "1m")
    interface Together {
        @GET
        @RightProtection
        @Expected({
            "api: GCRA 60 per 1m with burst 60, {ip}, cost 1, AFTER_AUTHENTICATION",
            "reports: GCRA 6 per 1m with burst 6, {user} → {ip}, cost 1, AFTER_AUTHENTICATION",
            "login: GCRA 15 per 10s with burst 15, {ip}, cost 1, AFTER_AUTHENTICATION",
            "logins: GCRA 500 per 10s with burst 500, 'all', cost 1, AFTER_AUTHENTICATION",
        })
        void composed();

        @GET
        @RateLimitExempt("api")
        @RateLimited(name = "own", key = "{ip}", algorithm = GCRA, limit = 600, window = "1m")
        @Expected({
            "reports: GCRA 6 per 1m with burst 6, {user} → {ip}, cost 1, AFTER_AUTHENTICATION",
            "own: GCRA 600 per 1m with burst 600, {ip}, cost 1, AFTER_AUTHENTICATION",
        })
        void replaced();

        @GET
        @NoApi
        @RateLimitExempt("reports")
        @Expected({})
        void exemptTwice();

        @GET
        @RateLimitExempt
        @Expected({})
        void exempt();
    }

    @RateLimited(name = "servlet", key = "{path:show}", algorithm = GCRA, limit = 5, window = "10s")
    @Expected("@RateLimited.key on OldServlet: no path parameter \"show\" in the path of a servlet; there is none")
    static class OldServlet extends HttpServlet {
        private static final long serialVersionUID = 1L;
    }

    @Expected("@RateLimited on OneMethodOfAServlet.doGet: a servlet is limited as a whole; annotate the class")
    static class OneMethodOfAServlet extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {}
    }
}
