package dev.limiter.jaxrs;

import static dev.limiter.Algorithm.CONCURRENCY;
import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static dev.limiter.Algorithm.UNIFORM;
import static dev.limiter.Enforcement.SHADOW;

import dev.limiter.RateLimited;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;

/** Declarations that are allowed and probably not meant, each with its warnings. */
public final class WarningDeclarations {
    private static final String ENDPOINT = "dev.limiter.jaxrs.WarningDeclarations$";
    private static final String CHOOSES = ", of which the caller chooses ";
    private static final String FRESH =
            ": a new value is a fresh quota. Add a limit on \"{ip}\" or \"{user}\" alone beside it";

    private WarningDeclarations() {}

    interface NeverBinds {
        @GET
        @RateLimited(name = "tight", key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
        @RateLimited(name = "wide", key = "{ip}", algorithm = GCRA, limit = 10, window = "10s")
        @LogAssertions("LIM01 " + ENDPOINT
                + "NeverBinds.rates(): \"wide\" can never bind beside \"tight\", which counts the same and"
                + " admits no more")
        void rates();

        @GET
        @RateLimited(name = "hour", key = "{ip}", algorithm = SLIDING_LOG, limit = 600, window = "1h")
        @RateLimited(name = "minute", key = "{ip}", algorithm = SLIDING_LOG, limit = 5, window = "1m")
        @LogAssertions("LIM01 " + ENDPOINT
                + "NeverBinds.windows(): \"hour\" can never bind beside \"minute\", which counts the same and"
                + " admits no more")
        void windows();

        @GET
        @RateLimited(name = "gate", key = "{ip}", algorithm = UNIFORM, limit = 1, window = "10s")
        @RateLimited(name = "counter", key = "{ip}", algorithm = FIXED_WINDOW, limit = 6, window = "1m")
        @LogAssertions("LIM01 " + ENDPOINT
                + "NeverBinds.gate(): \"counter\" can never bind beside \"gate\", which counts the same and"
                + " admits no more")
        void gate();

        @GET
        @RateLimited(name = "few", key = "{ip}", algorithm = CONCURRENCY, limit = 2)
        @RateLimited(name = "many", key = "{ip}", algorithm = CONCURRENCY, limit = 3)
        @LogAssertions("LIM01 " + ENDPOINT
                + "NeverBinds.leases(): \"many\" can never bind beside \"few\", which counts the same and"
                + " admits no more")
        void leases();

        @GET
        @RateLimited(name = "one", key = "{ip}", algorithm = TOKEN_BUCKET, limit = 5, window = "10s")
        @RateLimited(name = "two", key = "{ip}", algorithm = TOKEN_BUCKET, limit = 5, window = "10s")
        @LogAssertions("LIM01 " + ENDPOINT
                + "NeverBinds.equal(): \"two\" can never bind beside \"one\", which counts the same and"
                + " admits no more")
        void equal();
    }

    @Path("chosen/{show}")
    interface Chosen {
        @GET
        @RateLimited(name = "p", key = "{header:X-Api-Key}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions("LIM02 " + ENDPOINT + "Chosen.header(): \"p\" counts on {header:X-Api-Key}" + CHOOSES
                + "{header:X-Api-Key}" + FRESH)
        void header();

        @GET
        @RateLimited(name = "p", key = "{query:q|'none'}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions("LIM02 " + ENDPOINT + "Chosen.query(): \"p\" counts on {query:q|'none'}" + CHOOSES + "{query:q}"
                + FRESH)
        void query();

        @GET
        @RateLimited(name = "p", key = "{cookie:c}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions(
                "LIM02 " + ENDPOINT + "Chosen.cookie(): \"p\" counts on {cookie:c}" + CHOOSES + "{cookie:c}" + FRESH)
        void cookie();

        @GET
        @RateLimited(name = "p", key = "show-{path:show}/{form:f~fold}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions("LIM02 " + ENDPOINT + "Chosen.several(): \"p\" counts on show-{path:show}/{form:f~fold}"
                + CHOOSES + "{path:show} and {form:f~fold}" + FRESH)
        void several();

        @GET
        @RateLimited(name = "p", key = "#{request.header('X-Tenant')}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions("LIM02 " + ENDPOINT + "Chosen.expression(): \"p\" counts on #{request.header('X-Tenant')}"
                + CHOOSES + "#{request.header('X-Tenant')}" + FRESH)
        void expression();

        @GET
        @RateLimited(name = "p", key = "{header:A}", algorithm = GCRA, limit = 5, window = "10s")
        @RateLimited(name = "q", key = "{ip}", algorithm = GCRA, limit = 5, window = "10s", enforcement = SHADOW)
        @LogAssertions("LIM02 " + ENDPOINT + "Chosen.besideAShadow(): \"p\" counts on {header:A}" + CHOOSES
                + "{header:A}" + FRESH)
        void besideAShadow();

        @GET
        @RateLimited(name = "p", key = "{ip}/{header:X}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions("LIM02 " + ENDPOINT + "Chosen.onePart(): \"p\" counts on {ip}/{header:X}" + CHOOSES
                + "{header:X}" + FRESH)
        void onePart();

        @GET
        @RateLimited(name = "p", key = "{header:X|ip}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions("LIM02 " + ENDPOINT + "Chosen.oneAlternative(): \"p\" counts on {header:X|ip}" + CHOOSES
                + "{header:X}" + FRESH)
        void oneAlternative();

        @GET
        @RateLimited(name = "p", key = "{user|cookie:c}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions("LIM02 " + ENDPOINT + "Chosen.lastAlternative(): \"p\" counts on {user|cookie:c}" + CHOOSES
                + "{cookie:c}" + FRESH)
        void lastAlternative();

        @GET
        @RateLimited(
                name = "p",
                key = "#{user.name}#{ip += request.query('q')}",
                algorithm = GCRA,
                limit = 5,
                window = "10s")
        @LogAssertions("LIM02 " + ENDPOINT
                + "Chosen.partOfExpression(): \"p\" counts on #{user.name}#{ip += request.query('q')}" + CHOOSES
                + "#{ip += request.query('q')}" + FRESH)
        void partOfExpression();

        @GET
        @RateLimited(name = "p", key = "{form:name}/{ip}", algorithm = GCRA, limit = 5, window = "10s")
        @RateLimited(name = "q", key = "{ip}/{path:show}", algorithm = GCRA, limit = 50, window = "10s")
        @LogAssertions({
            "LIM02 " + ENDPOINT + "Chosen.besideAnotherOfThem(): \"p\" counts on {form:name}/{ip}" + CHOOSES
                    + "{form:name}" + FRESH,
            "LIM02 " + ENDPOINT + "Chosen.besideAnotherOfThem(): \"q\" counts on {ip}/{path:show}" + CHOOSES
                    + "{path:show}" + FRESH,
        })
        void besideAnotherOfThem();
    }

    interface Priced {
        String SAYS_LESS = ", of which the caller writes the number: it can say less than it takes. Let the method"
                + " settle what was used (cost = \"0\"), or add a limit of a fixed cost beside it";

        @GET
        @RateLimited(
                name = "kb",
                key = "{user|ip}",
                algorithm = GCRA,
                limit = 500,
                window = "1m",
                cost = "{query:kb|'10'}")
        @LogAssertions("LIM09 " + ENDPOINT + "Priced.query(): \"kb\" costs {query:kb|'10'}" + SAYS_LESS)
        void query();

        @GET
        @RateLimited(
                name = "kb",
                key = "{user|ip}",
                algorithm = GCRA,
                limit = 500,
                window = "1m",
                cost = "{attribute:kb|header:X-Kb|'10'}")
        @RateLimited(name = "q", key = "{ip}", algorithm = GCRA, limit = 5, window = "10s", enforcement = SHADOW)
        @LogAssertions("LIM09 " + ENDPOINT + "Priced.oneAlternative(): \"kb\" costs {attribute:kb|header:X-Kb|'10'}"
                + SAYS_LESS)
        void oneAlternative();
    }

    interface OtherBodies {
        String COUNTS = "\"login\" counts a field of a form, and the method also takes ";
        String ON_ADDRESS = ": such a request is counted on its address. Let a method take forms alone, or acquire the"
                + " limit in the method";

        @POST
        @Consumes({"application/x-www-form-urlencoded", "application/json, text/plain;charset=utf-8"})
        @RateLimited(name = "login", key = "{form:name~fold}", algorithm = GCRA, limit = 5, window = "10s")
        @RateLimited(name = "ip", key = "{ip}", algorithm = GCRA, limit = 50, window = "10s")
        @LogAssertions(
                "LIM10 " + ENDPOINT + "OtherBodies.declared(): " + COUNTS + "application/json, text/plain" + ON_ADDRESS)
        void declared();

        @POST
        @RateLimited(name = "login", key = "#{request.form('name')}", algorithm = GCRA, limit = 5, window = "10s")
        @RateLimited(name = "ip", key = "{ip}", algorithm = GCRA, limit = 50, window = "10s")
        @LogAssertions("LIM10 " + ENDPOINT + "OtherBodies.any(java.lang.String): " + COUNTS + "*/*" + ON_ADDRESS)
        void any(String body);
    }

    interface Large {
        @GET
        @RateLimited(name = "log", key = "{ip}", algorithm = SLIDING_LOG, limit = 100_000, window = "10s")
        @LogAssertions(
                "LIM04 \"log\": a SLIDING_LOG of 100000 keeps up to 1 MB in Redis for each key; SLIDING_WINDOW or GCRA keep a"
                        + " number")
        void megabyte();

        @GET
        @RateLimited(name = "log", key = "{header:A}", algorithm = SLIDING_LOG, limit = 1_000_000, window = "10s")
        @LogAssertions({
            "LIM02 " + ENDPOINT + "Large.tenAndChosen(): \"log\" counts on {header:A}" + CHOOSES + "{header:A}" + FRESH,
            "LIM04 \"log\": a SLIDING_LOG of 1000000 keeps up to 10 MB in Redis for each key; SLIDING_WINDOW or GCRA keep a"
                    + " number",
        })
        void tenAndChosen();
    }
}
