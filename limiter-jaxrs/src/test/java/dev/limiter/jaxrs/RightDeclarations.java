package dev.limiter.jaxrs;

import static dev.limiter.Algorithm.CONCURRENCY;
import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.LEAKY_BUCKET;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.Algorithm.SLIDING_WINDOW;
import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static dev.limiter.Algorithm.UNIFORM;
import static dev.limiter.Enforcement.SHADOW;
import static dev.limiter.Enforcement.SOFT;

import dev.limiter.OnStoreFailure;
import dev.limiter.RateLimitExempt;
import dev.limiter.RateLimited;
import dev.limiter.Refill;
import dev.limiter.Stage;
import dev.limiter.Tier;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Right declarations, each with its limits. */
public final class RightDeclarations {
    private RightDeclarations() {}

    @Path("right/{show}")
    interface Algorithms {
        @GET
        @RateLimited(key = "{ip}", algorithm = FIXED_WINDOW, limit = 5, window = "10s")
        @LogAssertions("Algorithms.fixedWindow: FIXED_WINDOW 5 per 10s, {ip}, cost 1, AFTER_AUTHENTICATION")
        void fixedWindow();

        @GET
        @RateLimited(key = "{ip}", algorithm = SLIDING_WINDOW, limit = 5, window = "1m30s")
        @LogAssertions("Algorithms.slidingWindow: SLIDING_WINDOW 5 per 1m30s, {ip}, cost 1, AFTER_AUTHENTICATION")
        void slidingWindow();

        @GET
        @RateLimited(key = "{ip}", algorithm = SLIDING_LOG, limit = 99_999, window = "PT1M")
        @LogAssertions("Algorithms.slidingLog: SLIDING_LOG 99999 per 1m, {ip}, cost 1, AFTER_AUTHENTICATION")
        void slidingLog();

        @GET
        @RateLimited(key = "{ip}", algorithm = TOKEN_BUCKET, limit = 5, window = "500ms")
        @LogAssertions("Algorithms.tokenBucket: TOKEN_BUCKET 5 per 500ms with burst 5, refill SMOOTH, {ip}, cost 1,"
                + " AFTER_AUTHENTICATION")
        void tokenBucket();

        @GET
        @RateLimited(
                key = "{ip}",
                algorithm = TOKEN_BUCKET,
                limit = 5,
                window = "1h",
                burst = 50,
                refill = Refill.INTERVAL)
        @LogAssertions("Algorithms.interval: TOKEN_BUCKET 5 per 1h with burst 50, refill INTERVAL, {ip}, cost 1,"
                + " AFTER_AUTHENTICATION")
        void interval();

        @GET
        @RateLimited(key = "{ip}", algorithm = TOKEN_BUCKET, limit = 5, window = "1d", borrow = true, cost = "5")
        @LogAssertions("Algorithms.borrow: TOKEN_BUCKET 5 per 1d with burst 5, refill SMOOTH and borrow, {ip}, cost 5,"
                + " AFTER_AUTHENTICATION")
        void borrow();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "1d", cost = "0")
        @LogAssertions("Algorithms.ofMethod: GCRA 5 per 1d with burst 5, {ip}, cost 0, AFTER_AUTHENTICATION")
        void ofMethod();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 600, window = "1m", burst = 50)
        @LogAssertions("Algorithms.gcra: GCRA 600 per 1m with burst 50, {ip}, cost 1, AFTER_AUTHENTICATION")
        void gcra();

        @GET
        @RateLimited(key = "{ip}", algorithm = UNIFORM, limit = 1, window = "366d")
        @LogAssertions("Algorithms.uniform: UNIFORM 1 per 366d, {ip}, cost 1, AFTER_AUTHENTICATION")
        void uniform();

        @GET
        @RateLimited(key = "{ip}", algorithm = LEAKY_BUCKET, limit = 5, window = "1s", maxWait = "0s")
        @LogAssertions(
                "Algorithms.leakyBucket: LEAKY_BUCKET 5 per 1s with maxWait 0s, {ip}, cost 1, AFTER_AUTHENTICATION")
        void leakyBucket();

        @GET
        @RateLimited(key = "{ip}", algorithm = CONCURRENCY, limit = 5)
        @LogAssertions("Algorithms.concurrency: CONCURRENCY 5 in flight, {ip}, cost 1, AFTER_AUTHENTICATION")
        void concurrency();
    }

    @Path("keys/{show: [0-9]+}")
    interface Keys {
        @GET
        @RateLimited(key = "'all'", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions("Keys.all: GCRA 5 per 10s with burst 5, 'all', cost 1, AFTER_AUTHENTICATION")
        void all();

        @GET
        @RateLimited(key = "{user}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions("Keys.user: GCRA 5 per 10s with burst 5, {user} → {ip}, cost 1, AFTER_AUTHENTICATION")
        void user();

        @GET
        @RateLimited(name = "pair", key = "{user}/{path:show}", algorithm = GCRA, limit = 5, window = "10s")
        @RateLimited(name = "each", key = "{user}", algorithm = GCRA, limit = 50, window = "10s")
        @LogAssertions({
            "pair: GCRA 5 per 10s with burst 5, {user}/{path:show} → {ip}, cost 1, AFTER_AUTHENTICATION",
            "each: GCRA 50 per 10s with burst 50, {user} → {ip}, cost 1, AFTER_AUTHENTICATION",
        })
        void userAndPath();

        @GET
        @RateLimited(key = "{attribute:tenant|user|'anonymous'}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions("Keys.alternatives: GCRA 5 per 10s with burst 5, {attribute:tenant|user|'anonymous'}, cost 1,"
                + " AFTER_AUTHENTICATION")
        void alternatives();

        @GET
        @RateLimited(key = "{claim:tenant}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions("Keys.claim: GCRA 5 per 10s with burst 5, {claim:tenant} → {ip}, cost 1, AFTER_AUTHENTICATION")
        void claim();

        @GET
        @RateLimited(key = "{attribute:a~b}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions("Keys.tilde: GCRA 5 per 10s with burst 5, {attribute:a~b} → {ip}, cost 1, AFTER_AUTHENTICATION")
        void tilde();

        @GET
        @RateLimited(key = "{endpoint}{verb}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions("Keys.endpoint: GCRA 5 per 10s with burst 5, {endpoint}{verb}, cost 1, AFTER_AUTHENTICATION")
        void endpoint();

        @GET
        @RateLimited(key = "#{user.name}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions(
                "Keys.expression: GCRA 5 per 10s with burst 5, #{user.name} → {ip}, cost 1, AFTER_AUTHENTICATION")
        void expression();

        @GET
        @RateLimited(
                key = "#{visitor.user}-#{'user' == \"it's the user\" ? 'endpoint' : ip}",
                algorithm = GCRA,
                limit = 5,
                window = "10s",
                stage = Stage.BEFORE_AUTHENTICATION)
        @LogAssertions(
                "Keys.expressionOfOthers: GCRA 5 per 10s with burst 5, #{visitor.user}-#{'user' == \"it's the user\" ?"
                        + " 'endpoint' : ip} → {ip}, cost 1, BEFORE_AUTHENTICATION")
        void expressionOfOthers();

        @GET
        @RateLimited(
                key = "#{user.name}",
                algorithm = GCRA,
                limit = 5,
                window = "10s",
                tier = "#{plans.of(request.header('X-Api-Key'))}",
                tiers = @Tier(name = "gold", limit = 50))
        @LogAssertions(
                "Keys.tierThatABeanKnows: GCRA 5 per 10s with burst 5, #{user.name} → {ip}, cost 1, AFTER_AUTHENTICATION, tiers"
                        + " gold (limit 50)")
        void tierThatABeanKnows();

        @POST
        @Consumes({"application/x-www-form-urlencoded", "multipart/form-data"})
        @RateLimited(name = "name", key = "{form:username~fold}", algorithm = UNIFORM, limit = 1, window = "10s")
        @RateLimited(name = "address", key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions({
            "name: UNIFORM 1 per 10s, {form:username~fold} → {ip}, cost 1, AFTER_AUTHENTICATION",
            "address: GCRA 5 per 10s with burst 5, {ip}, cost 1, AFTER_AUTHENTICATION",
        })
        void chosenBesideAnAddress();
    }

    interface Members {
        @GET
        @RateLimited(key = "{ip}", algorithm = SLIDING_LOG, limit = 50, window = "10s", cost = "{attribute:size|'20'}")
        @LogAssertions("Members.cost: SLIDING_LOG 50 per 10s, {ip}, cost {attribute:size|'20'}, AFTER_AUTHENTICATION")
        void cost();

        @GET
        @RateLimited(
                name = "rows",
                key = "{ip}",
                algorithm = SLIDING_LOG,
                limit = 50,
                window = "10s",
                cost = "{query:size|'20'}")
        @RateLimited(name = "calls", key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions({
            "rows: SLIDING_LOG 50 per 10s, {ip}, cost {query:size|'20'}, AFTER_AUTHENTICATION",
            "calls: GCRA 5 per 10s with burst 5, {ip}, cost 1, AFTER_AUTHENTICATION",
        })
        void costThatTheCallerWritesBesideAnother();

        @GET
        @RateLimited(key = "{ip}", algorithm = CONCURRENCY, limit = 50, cost = " 1 ")
        @LogAssertions("Members.costOfLease: CONCURRENCY 50 in flight, {ip}, cost 1, AFTER_AUTHENTICATION")
        void costOfLease();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s", countOn = "401, 403")
        @LogAssertions(
                "Members.countOn: GCRA 5 per 10s with burst 5, {ip}, cost 1, AFTER_AUTHENTICATION, counts 401, 403")
        void countOn();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s", countOn = "!5xx")
        @LogAssertions(
                "Members.countOnNegated: GCRA 5 per 10s with burst 5, {ip}, cost 1, AFTER_AUTHENTICATION, counts !5xx")
        void countOnNegated();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s", stage = Stage.BEFORE_AUTHENTICATION)
        @LogAssertions("Members.stage: GCRA 5 per 10s with burst 5, {ip}, cost 1, BEFORE_AUTHENTICATION")
        void stage();

        @GET
        @RateLimited(
                key = "{ip}",
                algorithm = FIXED_WINDOW,
                limit = 5,
                window = "1 month Europe/Paris from {attribute:day|'31'}",
                enforcement = SOFT)
        @LogAssertions(
                "Members.period: FIXED_WINDOW 5 per 1 month Europe/Paris, soft, {ip}, cost 1, AFTER_AUTHENTICATION")
        void period();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s", enforcement = SHADOW)
        @LogAssertions("Members.shadow: GCRA 5 per 10s with burst 5, as a shadow, {ip}, cost 1, AFTER_AUTHENTICATION")
        void shadow();

        @GET
        @RateLimited(
                name = "closed one (v2.0)",
                key = "{ip}",
                algorithm = GCRA,
                limit = 5,
                window = "10s",
                onStoreFailure = OnStoreFailure.CLOSED)
        @LogAssertions(
                "closed one (v2.0): GCRA 5 per 10s with burst 5, {ip}, cost 1, AFTER_AUTHENTICATION, on failure CLOSED")
        void onStoreFailure();

        @GET
        @RateLimited(
                key = "{user}",
                algorithm = GCRA,
                limit = 5,
                window = "10s",
                tier = "{claim:plan|attribute:plan}",
                tiers = {
                    @Tier(name = "gold", limit = 50),
                    @Tier(name = "patient", burst = 20),
                    @Tier(name = "staff", unlimited = true)
                })
        @LogAssertions(
                "Members.tiers: GCRA 5 per 10s with burst 5, {user} → {ip}, cost 1, AFTER_AUTHENTICATION, tiers gold (limit 50),"
                        + " patient (burst 20), staff (unlimited)")
        void tiers();
    }

    @RateLimited(name = "login", key = "{ip}", algorithm = GCRA, limit = 15, window = "10s")
    @RateLimited(name = "logins", key = "'all'", algorithm = GCRA, limit = 500, window = "10s")
    @Retention(RetentionPolicy.RUNTIME)
    @interface LoginProtection {}

    @RateLimitExempt("api")
    @Retention(RetentionPolicy.RUNTIME)
    @interface NoApi {}

    @RateLimited(name = "api", key = "{ip}", algorithm = GCRA, limit = 60, window = "1m")
    @RateLimited(name = "reports", key = "{user}", algorithm = GCRA, limit = 6, window = "1m")
    interface Together {
        @GET
        @LoginProtection
        @LogAssertions({
            "api: GCRA 60 per 1m with burst 60, {ip}, cost 1, AFTER_AUTHENTICATION",
            "reports: GCRA 6 per 1m with burst 6, {user} → {ip}, cost 1, AFTER_AUTHENTICATION",
            "login: GCRA 15 per 10s with burst 15, {ip}, cost 1, AFTER_AUTHENTICATION",
            "logins: GCRA 500 per 10s with burst 500, 'all', cost 1, AFTER_AUTHENTICATION",
        })
        void composed();

        @GET
        @RateLimitExempt("api")
        @RateLimited(name = "own", key = "{ip}", algorithm = GCRA, limit = 600, window = "1m")
        @LogAssertions({
            "reports: GCRA 6 per 1m with burst 6, {user} → {ip}, cost 1, AFTER_AUTHENTICATION",
            "own: GCRA 600 per 1m with burst 600, {ip}, cost 1, AFTER_AUTHENTICATION",
        })
        void replaced();

        @GET
        @NoApi
        @RateLimitExempt("reports")
        @LogAssertions({})
        void exemptTwice();

        @GET
        @RateLimitExempt
        @LogAssertions({})
        void exempt();
    }
}
