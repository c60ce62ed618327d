package dev.limiter.jaxrs;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.LEAKY_BUCKET;
import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static dev.limiter.Enforcement.SHADOW;

import dev.limiter.OnStoreFailure;
import dev.limiter.RateLimitExempt;
import dev.limiter.RateLimited;
import dev.limiter.Refill;
import dev.limiter.Stage;
import dev.limiter.Tier;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/**
 * Declarations that are wrong by their place or their neighbours, each with all messages of the
 * deployment.
 */
public final class MisplacedDeclarations {
    private static final String TEN = "1234567890";
    private static final String TOO_LONG = TEN + TEN + TEN + TEN + TEN + TEN + TEN + TEN + TEN + TEN + "1";

    private MisplacedDeclarations() {}

    interface Name {
        @GET
        @RateLimited(name = "say \"hi\"", key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions("@RateLimited.name on Name.quote: name must be printable ASCII without quote or backslash, was"
                + " \"say \"hi\"\"")
        void quote();

        @GET
        @RateLimited(name = "a\\b", key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions(
                "@RateLimited.name on Name.backslash: name must be printable ASCII without quote or backslash, was \"a\\b\"")
        void backslash();

        @GET
        @RateLimited(name = "a\r\nSet-Cookie: x", key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions("@RateLimited.name on Name.control: name must be printable ASCII without quote or backslash, was"
                + " \"a\\u000d\\u000aSet-Cookie: x\"")
        void control();

        @GET
        @RateLimited(name = "größe", key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions(
                "@RateLimited.name on Name.umlaut: name must be printable ASCII without quote or backslash, was \"größe\"")
        void umlaut();

        @GET
        @RateLimited(name = "buyer ", key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions("@RateLimited.name on Name.blank: name must not begin or end with a blank, was \"buyer \"")
        void blank();

        @GET
        @RateLimited(name = TOO_LONG, key = "{ip}", algorithm = GCRA, limit = 5, window = "1s")
        @LogAssertions("@RateLimited.name on Name.tooLong: name must have at most 100 characters, has 101")
        void tooLong();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
        @RateLimited(name = "b", key = "{user}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions(
                "@RateLimited.name on Name.missing: is missing; where one element carries 2 limits, each must have a name")
        void missing();

        @GET
        @RateLimited(name = "same", key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
        @RateLimited(name = "same", key = "{user}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions(
                "@RateLimited.name on Name.twice: \"same\" names two limits of one request; a name is one bucket, give each a"
                        + " name of its own")
        void twice();
    }

    @LogAssertions("@RateLimited.name on Overloaded.get: \"Overloaded.get\" is also the name of the limit on"
            + " dev.limiter.jaxrs.MisplacedDeclarations$Overloaded.get(); give both a name")
    interface Overloaded {
        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
        void get();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
        void get(String text);
    }

    @LogAssertions({
        "@RateLimited.algorithm on Shared.bAlgorithm: \"p\" is FIXED_WINDOW 5 per 10s here and TOKEN_BUCKET 5 per 10s with"
                + " burst 5, refill SMOOTH on Shared.a; one name is one bucket, so give equal members or another name",
        "@RateLimited.limit on Shared.cLimit: \"p\" is TOKEN_BUCKET 6 per 10s with burst 5, refill SMOOTH here and"
                + " TOKEN_BUCKET 5 per 10s with burst 5, refill SMOOTH on Shared.a; one name is one bucket, so give equal"
                + " members or another name",
        "@RateLimited.window on Shared.dWindow: \"p\" is TOKEN_BUCKET 5 per 11s with burst 5, refill SMOOTH here and"
                + " TOKEN_BUCKET 5 per 10s with burst 5, refill SMOOTH on Shared.a; one name is one bucket, so give equal"
                + " members or another name",
        "@RateLimited.burst on Shared.eBurst: \"p\" is TOKEN_BUCKET 5 per 10s with burst 6, refill SMOOTH here and"
                + " TOKEN_BUCKET 5 per 10s with burst 5, refill SMOOTH on Shared.a; one name is one bucket, so give equal"
                + " members or another name",
        "@RateLimited.refill on Shared.fRefill: \"p\" is TOKEN_BUCKET 5 per 10s with burst 5, refill INTERVAL here and"
                + " TOKEN_BUCKET 5 per 10s with burst 5, refill SMOOTH on Shared.a; one name is one bucket, so give equal"
                + " members or another name",
        "@RateLimited.borrow on Shared.gBorrow: \"p\" is TOKEN_BUCKET 5 per 10s with burst 5, refill SMOOTH and borrow here"
                + " and TOKEN_BUCKET 5 per 10s with burst 5, refill SMOOTH on Shared.a; one name is one bucket, so give equal"
                + " members or another name",
        "@RateLimited.enforcement on Shared.hShadow: \"p\" is TOKEN_BUCKET 5 per 10s with burst 5, refill SMOOTH, as a shadow"
                + " here and TOKEN_BUCKET 5 per 10s with burst 5, refill SMOOTH on Shared.a; one name is one bucket, so give"
                + " equal members or another name",
        "@RateLimited.tiers on Shared.iTiers: \"p\" is TOKEN_BUCKET 5 per 10s with burst 5, refill SMOOTH with tiers gold"
                + " (limit 50), staff (unlimited) here and TOKEN_BUCKET 5 per 10s with burst 5, refill SMOOTH with no tiers"
                + " on Shared.a; one name is one bucket, so give equal members or another name",
        "@RateLimited.onStoreFailure on Shared.jOnStoreFailure: \"p\" is TOKEN_BUCKET 5 per 10s with burst 5, refill"
                + " SMOOTH, on store failure CLOSED here and TOKEN_BUCKET 5 per 10s with burst 5, refill SMOOTH, on store"
                + " failure CONFIGURED on Shared.a; one name is one bucket, so give equal members or another name",
        "@RateLimited.maxWait on Shared.lMaxWait: \"q\" is LEAKY_BUCKET 5 per 10s with maxWait 2s here and LEAKY_BUCKET 5 per"
                + " 10s with maxWait 1s on Shared.k; one name is one bucket, so give equal members or another name",
    })
    interface Shared {
        @GET
        @RateLimited(name = "p", key = "{ip}", algorithm = TOKEN_BUCKET, limit = 5, window = "10s")
        void a();

        @GET
        @RateLimited(name = "p", key = "{ip}", algorithm = FIXED_WINDOW, limit = 5, window = "10s")
        void bAlgorithm();

        @GET
        @RateLimited(name = "p", key = "{ip}", algorithm = TOKEN_BUCKET, limit = 6, window = "10s", burst = 5)
        void cLimit();

        @GET
        @RateLimited(name = "p", key = "{ip}", algorithm = TOKEN_BUCKET, limit = 5, window = "11s")
        void dWindow();

        @GET
        @RateLimited(name = "p", key = "{ip}", algorithm = TOKEN_BUCKET, limit = 5, window = "10s", burst = 6)
        void eBurst();

        @GET
        @RateLimited(
                name = "p",
                key = "{ip}",
                algorithm = TOKEN_BUCKET,
                limit = 5,
                window = "10s",
                refill = Refill.INTERVAL)
        void fRefill();

        @GET
        @RateLimited(name = "p", key = "{ip}", algorithm = TOKEN_BUCKET, limit = 5, window = "10s", borrow = true)
        void gBorrow();

        @GET
        @RateLimited(
                name = "p",
                key = "{ip}",
                algorithm = TOKEN_BUCKET,
                limit = 5,
                window = "10s",
                enforcement = SHADOW)
        void hShadow();

        @GET
        @RateLimited(
                name = "p",
                key = "{ip}",
                algorithm = TOKEN_BUCKET,
                limit = 5,
                window = "10s",
                tier = "{attribute:plan}",
                tiers = {@Tier(name = "staff", unlimited = true), @Tier(name = "gold", limit = 50)})
        void iTiers();

        @GET
        @RateLimited(
                name = "p",
                key = "{ip}",
                algorithm = TOKEN_BUCKET,
                limit = 5,
                window = "10s",
                onStoreFailure = OnStoreFailure.CLOSED)
        void jOnStoreFailure();

        @GET
        @RateLimited(name = "q", key = "{ip}", algorithm = LEAKY_BUCKET, limit = 5, window = "10s", maxWait = "1s")
        void k();

        @GET
        @RateLimited(name = "q", key = "{ip}", algorithm = LEAKY_BUCKET, limit = 5, window = "10s", maxWait = "2s")
        void lMaxWait();
    }

    @LogAssertions({
        "@RateLimited.key on OtherChoices.bKey: \"p\" has the key \"{ip}\" here and \"{user}\" on OtherChoices.a; one name is one"
                + " bucket, so give equal keys or another name",
        "@RateLimited.tier on OtherChoices.cTier: \"p\" has the tier \"{claim:plan}\" here and \"{attribute:plan}\" on"
                + " OtherChoices.a; one name is one bucket, so give equal tiers or another name",
    })
    interface OtherChoices {
        @GET
        @RateLimited(
                name = "p",
                key = "{user}",
                algorithm = GCRA,
                limit = 5,
                window = "10s",
                tier = "{attribute:plan}",
                tiers = @Tier(name = "gold", limit = 50))
        void a();

        @GET
        @RateLimited(
                name = "p",
                key = "{ip}",
                algorithm = GCRA,
                limit = 5,
                window = "10s",
                tier = "{attribute:plan}",
                tiers = @Tier(name = "gold", limit = 50))
        void bKey();

        @GET
        @RateLimited(
                name = "p",
                key = "{user}",
                algorithm = GCRA,
                limit = 5,
                window = "10s",
                tier = "{claim:plan}",
                tiers = @Tier(name = "gold", limit = 50))
        void cTier();
    }

    @LogAssertions("@RateLimited on OneMethodOfAServlet.doGet: a servlet is limited as a whole; annotate the class")
    static class OneMethodOfAServlet extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {}
    }

    @Path("stages/{id}")
    interface Stages {
        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s", stage = Stage.BEFORE_MATCHING)
        @LogAssertions(
                "@RateLimited.stage on Stages.beforeMatching: BEFORE_MATCHING is for the Application only: before matching"
                        + " this place is not known")
        void beforeMatching();

        @GET
        @RateLimited(key = "{user}", algorithm = GCRA, limit = 5, window = "10s", stage = Stage.BEFORE_AUTHENTICATION)
        @LogAssertions(
                "@RateLimited.key on Stages.key: \"{user}\" is not known in stage BEFORE_AUTHENTICATION; count on \"{ip}\", or"
                        + " choose AFTER_AUTHENTICATION")
        void key();

        @GET
        @RateLimited(
                key = "{ip}",
                algorithm = GCRA,
                limit = 5,
                window = "10s",
                cost = "{claim:weight|'1'}",
                stage = Stage.BEFORE_AUTHENTICATION)
        @LogAssertions(
                "@RateLimited.cost on Stages.cost: \"{claim:weight}\" is not known in stage BEFORE_AUTHENTICATION; choose"
                        + " AFTER_AUTHENTICATION")
        void cost();

        @GET
        @RateLimited(
                key = "{ip}",
                algorithm = GCRA,
                limit = 5,
                window = "10s",
                tier = "{claim:plan}",
                tiers = @Tier(name = "gold", limit = 50),
                stage = Stage.BEFORE_AUTHENTICATION)
        @LogAssertions(
                "@RateLimited.tier on Stages.tier: \"{claim:plan}\" is not known in stage BEFORE_AUTHENTICATION; choose"
                        + " AFTER_AUTHENTICATION")
        void tier();

        @GET
        @RateLimited(
                key = "#{user == null ? ip : user.name}",
                algorithm = GCRA,
                limit = 5,
                window = "10s",
                stage = Stage.BEFORE_AUTHENTICATION)
        @LogAssertions(
                "@RateLimited.key on Stages.expression: \"#{user == null ? ip : user.name}\" is not known in stage"
                        + " BEFORE_AUTHENTICATION; count on \"{ip}\", or choose AFTER_AUTHENTICATION")
        void expression();

        @GET
        @RateLimited(
                key = "{ip}",
                algorithm = GCRA,
                limit = 5,
                window = "10s",
                tier = "#{plans.of(request . user ().name)}",
                tiers = @Tier(name = "gold", limit = 50),
                stage = Stage.BEFORE_AUTHENTICATION)
        @LogAssertions(
                "@RateLimited.tier on Stages.userOfTheRequest: \"#{plans.of(request . user ().name)}\" is not known in stage"
                        + " BEFORE_AUTHENTICATION; choose AFTER_AUTHENTICATION")
        void userOfTheRequest();
    }

    @RateLimited(
            name = "flood",
            key = "#{endpoint}#{request.pathParameter('rows')}",
            algorithm = GCRA,
            limit = 5,
            window = "10s",
            stage = Stage.BEFORE_MATCHING)
    @LogAssertions({
        "@RateLimited.key on EverythingAtOnce: \"#{endpoint}\" is not known before matching; count on \"{ip}\", or choose a"
                + " later stage",
        "@RateLimited.key on EverythingAtOnce: \"#{request.pathParameter('rows')}\" is not known before matching; count on"
                + " \"{ip}\", or choose a later stage",
    })
    static class EverythingAtOnce extends Application {}

    @LogAssertions("@RateLimited on Hidden.get: the method is not public, so no request comes to it; make it public")
    static class Hidden {
        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
        void get() {}
    }

    @RateLimited(
            name = "flood",
            key = "{endpoint}",
            algorithm = GCRA,
            limit = 5,
            window = "10s",
            cost = "{path:rows|'1'}",
            stage = Stage.BEFORE_MATCHING)
    @LogAssertions({
        "@RateLimited.key on Everything: \"{endpoint}\" is not known before matching; count on \"{ip}\", or choose a later"
                + " stage",
        "@RateLimited.cost on Everything: \"{path:rows}\" is not known before matching; choose a later stage",
    })
    static class Everything extends Application {}

    @RateLimited(name = "login", key = "{ip}", algorithm = GCRA, limit = 5)
    @RateLimited(key = "{user}", algorithm = GCRA, limit = 5, window = "10s")
    @Retention(RetentionPolicy.RUNTIME)
    @interface LoginProtection {}

    interface Composed {
        @GET
        @LoginProtection
        @LogAssertions({
            "@RateLimited.window in @LoginProtection on Composed.login: window is missing; write how long 5 units last, such"
                    + " as \"10s\"",
            "@RateLimited.name in @LoginProtection on Composed.login: is missing; where one element carries 2 limits, each"
                    + " must have a name",
        })
        void login();
    }

    @Path("exempt")
    @RateLimited(name = "api", key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
    interface Exempt {
        @GET
        @RateLimitExempt("apii")
        @LogAssertions(
                "@RateLimitExempt.value on Exempt.misspelt: \"apii\" names no limit of the class or the application; did you"
                        + " mean \"api\"?")
        void misspelt();
    }

    @LogAssertions(
            "@RateLimitExempt on Locator.sub: the method answers no requests itself; annotate a resource method, or for a"
                    + " locator the class that it returns")
    interface Locator {
        @Path("sub")
        @RateLimitExempt
        Exempt sub();

        @GET
        void get();
    }

    @Path("class")
    @RateLimited(name = "show", key = "{path:show}", algorithm = GCRA, limit = 5, window = "10s")
    @LogAssertions(
            "@RateLimited.key on OnClass: no path parameter \"show\" in any path of the class; did you mean \"shop\"?")
    interface OnClass {
        @GET
        @Path("{shop}")
        void get();
    }

    @RateLimited(name = "servlet", key = "{path:show}", algorithm = GCRA, limit = 5, window = "10s")
    @LogAssertions("@RateLimited.key on OldServlet: no path parameter \"show\" in the path of a servlet; there is none")
    static class OldServlet extends HttpServlet {
        private static final long serialVersionUID = 1L;
    }
}
