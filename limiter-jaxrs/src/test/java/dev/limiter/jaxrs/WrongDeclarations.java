package dev.limiter.jaxrs;

import static dev.limiter.Algorithm.CONCURRENCY;
import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GATE;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.LEAKY_BUCKET;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.Algorithm.SLIDING_WINDOW;
import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static dev.limiter.Algorithm.UNIFORM;
import static dev.limiter.Enforcement.SOFT;

import dev.limiter.RateLimited;
import dev.limiter.Refill;
import dev.limiter.Stage;
import dev.limiter.Tier;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Wrong members of {@code @RateLimited}, each with all messages of the deployment. */
public final class WrongDeclarations {
    private WrongDeclarations() {}

    @Path("keys/{show}")
    interface Key {
        @GET
        @RateLimited(key = "", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions(
                "@RateLimited.key on Key.empty: is empty; write \"{user}\", \"{ip}\" or, for one partition that all share,"
                        + " \"'all'\"")
        void empty();

        @GET
        @RateLimited(key = "user", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions(
                "@RateLimited.key on Key.withoutBraces: \"user\" has no placeholder; write \"{user}\" for a value of the"
                        + " request, or \"'user'\" for one partition that all share")
        void withoutBraces();

        @GET
        @RateLimited(key = "{usr}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions("@RateLimited.key on Key.misspelt: unknown name \"usr\" in \"{usr}\"; did you mean \"user\"?")
        void misspelt();

        @GET
        @RateLimited(key = "{user:name}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions(
                "@RateLimited.key on Key.parameter: \"user\" takes no parameter in \"{user:name}\"; write \"{user}\"")
        void parameter();

        @GET
        @RateLimited(key = "{header}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions(
                "@RateLimited.key on Key.noParameter: \"header\" needs a parameter in \"{header}\"; write \"{header:...}\"")
        void noParameter();

        @GET
        @RateLimited(key = "{user", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions("@RateLimited.key on Key.unclosed: \"{user\" opens a brace that is not closed, at character 1")
        void unclosed();

        @GET
        @RateLimited(key = "user}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions("@RateLimited.key on Key.unopened: \"user}\" closes a brace that was not opened, at character 5")
        void unopened();

        @GET
        @RateLimited(key = "{ip|user}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions(
                "@RateLimited.key on Key.unreachable: in \"{ip|user}\" nothing after \"ip\" can ever be reached; make it the"
                        + " last alternative")
        void unreachable();

        @GET
        @RateLimited(key = "'{user}'", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions(
                "@RateLimited.key on Key.quoted: \"'{user}'\" quotes a placeholder, which makes it plain text; leave the"
                        + " quotes out")
        void quoted();

        @GET
        @RateLimited(key = "{path:shwo}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions(
                "@RateLimited.key on Key.noSuchPath: no path parameter \"shwo\" in \"keys/{show}\"; did you mean \"show\"?")
        void noSuchPath();

        @GET
        @RateLimited(key = "{bean:tenant}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions(
                "@RateLimited.key on Key.noSuchBean: \"bean:tenant\" is no CDI bean of type dev.limiter.jaxrs.KeyResolver;"
                        + " CDI does not run here, add it and write one with @Named(\"tenant\")")
        void noSuchBean();

        @GET
        @RateLimited(key = "{user~flod}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions(
                "@RateLimited.key on Key.suffix: unknown \"~flod\" in \"{user~flod}\"; what may follow a name is \"~fold\"")
        void suffix();

        @GET
        @RateLimited(key = "{form:name~Fold}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions(
                "@RateLimited.key on Key.suffixOfParameter: unknown \"~Fold\" in \"{form:name~Fold}\"; what may follow a name"
                        + " is \"~fold\"")
        void suffixOfParameter();

        @GET
        @RateLimited(key = "#{user.name", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions(
                "@RateLimited.key on Key.unclosedExpression: \"#{user.name\" opens a brace that is not closed, at"
                        + " character 2")
        void unclosedExpression();

        @GET
        @RateLimited(key = "#{user.}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions("@RateLimited.key on Key.malformedExpression: \"#{user.}\" is no expression: Error Parsing:"
                + " #{user.}")
        void malformedExpression();

        @GET
        @RateLimited(key = "#{request.hedaer('X')}", algorithm = GCRA, limit = 5, window = "10s")
        @LogAssertions("@RateLimited.key on Key.memberThatDoesNotExist: \"#{request.hedaer('X')}\": request has no"
                + " method \"hedaer\"; did you mean \"header\"?")
        void memberThatDoesNotExist();
    }

    interface Limits {
        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 0, window = "10s")
        @LogAssertions("@RateLimited.limit on Limits.zero: limit must be at least 1, was 0")
        void zero();

        @GET
        @RateLimited(key = "{ip}", algorithm = FIXED_WINDOW, limit = -5, window = "10s")
        @LogAssertions("@RateLimited.limit on Limits.negative: limit must be at least 1, was -5")
        void negative();

        @GET
        @RateLimited(key = "{ip}", algorithm = SLIDING_WINDOW, limit = 1L << 31, window = "10s")
        @LogAssertions("@RateLimited.limit on Limits.huge: limit must be below 2^31, was 2147483648")
        void huge();

        @GET
        @RateLimited(key = "{ip}", algorithm = SLIDING_LOG, limit = 1_000_001, window = "10s")
        @LogAssertions(
                "@RateLimited.limit on Limits.hugeLog: limit of a SLIDING_LOG must be at most 1000000, was 1000001")
        void hugeLog();

        @GET
        @RateLimited(key = "{ip}", algorithm = GATE, limit = 1, window = "10s")
        @LogAssertions(
                "@RateLimited.algorithm on Limits.gate: a GATE counts nothing, and cannot be declared: it stands beside a"
                        + " partner's limit")
        void gate();
    }

    interface Period {
        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "1 month")
        @LogAssertions(
                "@RateLimited.window on Period.ofAnotherAlgorithm: a period of the calendar is for FIXED_WINDOW only; leave"
                        + " it out of GCRA")
        void ofAnotherAlgorithm();

        @GET
        @RateLimited(key = "{ip}", algorithm = FIXED_WINDOW, limit = 5, window = "2 months")
        @LogAssertions(
                "@RateLimited.window on Period.several: \"2 months\" is no period of the calendar; write 1, a unit of day,"
                        + " week, month, quarter and year, perhaps a time zone and where it begins, such as"
                        + " \"1 month\" or \"1 month Europe/Paris from 15\"")
        void several();

        @GET
        @RateLimited(key = "{ip}", algorithm = FIXED_WINDOW, limit = 5, window = "1 month Europe/Pari")
        @LogAssertions(
                "@RateLimited.window on Period.elsewhere: \"Europe/Pari\" is no time zone; did you mean \"Europe/Paris\"?")
        void elsewhere();

        @GET
        @RateLimited(key = "{ip}", algorithm = FIXED_WINDOW, limit = 5, window = "1 month from 32")
        @LogAssertions(
                "@RateLimited.window on Period.anchorOutOfRange: the anchor of a period of 1 month must be 1 to 31, or a date such as 2024-02-29, was \"32\"")
        void anchorOutOfRange();

        @GET
        @RateLimited(key = "{ip}", algorithm = FIXED_WINDOW, limit = 5, window = "1 day from 2")
        @LogAssertions("@RateLimited.window on Period.anchorOfADay: a period of 1 day has no anchor; leave out \"2\"")
        void anchorOfADay();

        @GET
        @RateLimited(key = "{ip}", algorithm = FIXED_WINDOW, limit = 5, window = "1 day from {attribute:day}")
        @LogAssertions("@RateLimited.window on Period.expressionOfADay: a period of 1 day has no anchor; leave out"
                + " \"{attribute:day}\"")
        void expressionOfADay();

        @GET
        @RateLimited(key = "{ip}", algorithm = FIXED_WINDOW, limit = 5, window = "1d from 2")
        @LogAssertions("@RateLimited.window on Period.anchorOfASpan: \"from 2\" is for a period of the calendar, and"
                + " \"1d\" is none; write \"1 month from 2\", or leave it out")
        void anchorOfASpan();

        @GET
        @RateLimited(key = "{ip}", algorithm = FIXED_WINDOW, limit = 5, window = "1 month from {query:day|'1'}")
        @LogAssertions(
                "@RateLimited.window on Period.anchorOfTheCaller: \"{query:day}\" is what the caller writes, and it would move"
                        + " its own period; take it from \"{claim:...}\", \"{attribute:...}\" or \"{bean:...}\"")
        void anchorOfTheCaller();

        @GET
        @RateLimited(key = "{ip}", algorithm = FIXED_WINDOW, limit = 5, window = "1 month {query:zone|'UTC'}")
        @LogAssertions(
                "@RateLimited.window on Period.zoneOfTheCaller: \"{query:zone}\" is what the caller writes, and it would move"
                        + " its own period; take it from \"{claim:...}\", \"{attribute:...}\" or \"{bean:...}\"")
        void zoneOfTheCaller();

        @GET
        @RateLimited(key = "{ip}", algorithm = FIXED_WINDOW, limit = 5, window = "1 month {claim:zone~fold|'UTC'}")
        @LogAssertions("@RateLimited.window on Period.foldedZone: \"{claim:zone~fold|'UTC'}\" makes lower case of"
                + " \"Europe/Paris\", which is no time zone then; leave ~fold out")
        void foldedZone();

        @GET
        @RateLimited(
                key = "{ip}",
                algorithm = FIXED_WINDOW,
                limit = 5,
                window = "1 month {claim:zone}",
                stage = Stage.BEFORE_AUTHENTICATION)
        @LogAssertions("@RateLimited.window on Period.zoneTooEarly: \"{claim:zone}\" is not known in stage"
                + " BEFORE_AUTHENTICATION; choose AFTER_AUTHENTICATION")
        void zoneTooEarly();

        @GET
        @RateLimited(
                key = "{ip}",
                algorithm = FIXED_WINDOW,
                limit = 5,
                window = "1 month from {claim:month}-{claim:day}")
        @LogAssertions(
                "@RateLimited.window on Period.anchorOfTwo: \"{claim:month}-{claim:day}\" must be one placeholder,"
                        + " such as \"{claim:billing_day}\"; it has 3 parts")
        void anchorOfTwo();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "1s", enforcement = SOFT)
        @LogAssertions(
                "@RateLimited.enforcement on Period.softBucket: SOFT is for FIXED_WINDOW only; leave it out of GCRA")
        void softBucket();
    }

    interface Banned {
        @GET
        @RateLimited(key = "{user}", algorithm = GCRA, limit = 5, window = "1s", ban = "15m")
        @LogAssertions("@RateLimited.ban on Banned.withoutNumber: \"15m\" is no ban; write its span and the number of"
                + " rejections, such as \"15m after 20\"")
        void withoutNumber();

        @GET
        @RateLimited(key = "{user}", algorithm = GCRA, limit = 5, window = "1s", ban = "2h after 20")
        @LogAssertions("@RateLimited.ban on Banned.tooLong: a ban lasts from 1s to 1h, was \"2h after 20\"")
        void tooLong();

        @GET
        @RateLimited(key = "{user}", algorithm = GCRA, limit = 5, window = "1s", ban = "15m after 20")
        @LogAssertions("@RateLimited.ban on Banned.withoutModule: a ban needs the module"
                + " dev.limiter:limiter-operations, which is not there")
        void withoutModule();
    }

    interface Window {
        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5)
        @LogAssertions(
                "@RateLimited.window on Window.missing: window is missing; write how long 5 units last, such as \"10s\"")
        void missing();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10")
        @LogAssertions(
                "@RateLimited.window on Window.withoutUnit: \"10\" is not a duration; write an amount and a unit, such as"
                        + " \"60s\" or \"1m\"")
        void withoutUnit();

        @GET
        @RateLimited(key = "{ip}", algorithm = FIXED_WINDOW, limit = 5, window = "1 mounth Europe/Paris")
        @LogAssertions(
                "@RateLimited.window on Window.unitMistyped: \"1 mounth Europe/Paris\" is not a duration; write an amount"
                        + " and a unit, such as \"60s\" or \"1m\"; did you mean \"1 month\"?")
        void unitMistyped();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "1 minute")
        @LogAssertions(
                "@RateLimited.window on Window.words: \"1 minute\" is not a duration; write an amount and a unit, such as"
                        + " \"60s\" or \"1m\"")
        void words();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "0s")
        @LogAssertions("@RateLimited.window on Window.zero: window must be from 1 µs to 366 days, was 0s")
        void zero();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "367d")
        @LogAssertions("@RateLimited.window on Window.tooLong: window must be from 1 µs to 366 days, was 367d")
        void tooLong();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "PT0.0000015S")
        @LogAssertions("@RateLimited.window on Window.tooFine: window must be whole microseconds, was PT0.0000015S")
        void tooFine();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "PT-5S")
        @LogAssertions("@RateLimited.window on Window.negative: window must be from 1 µs to 366 days, was PT-5S")
        void negative();

        @GET
        @RateLimited(key = "{ip}", algorithm = CONCURRENCY, limit = 5, window = "10s")
        @LogAssertions(
                "@RateLimited.window on Window.ofLeases: \"10s\" has no meaning for CONCURRENCY, whose limit is how many are"
                        + " in flight; leave it out")
        void ofLeases();
    }

    interface Bucket {
        @GET
        @RateLimited(key = "{ip}", algorithm = SLIDING_LOG, limit = 5, window = "10s", burst = 5)
        @LogAssertions("@RateLimited.burst on Bucket.burstOfLog: SLIDING_LOG has no burst; leave it out, was 5")
        void burstOfLog();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s", burst = -1)
        @LogAssertions(
                "@RateLimited.burst on Bucket.negativeBurst: burst must be from 1 to 2^31 - 1, or 0 for limit, was -1")
        void negativeBurst();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 1, window = "366d", burst = 1000)
        @LogAssertions(
                "@RateLimited.burst on Bucket.decades: burst of 1000 at 1 per 366d takes decades to come back, too long to be"
                        + " counted exactly; lower burst or raise limit")
        void decades();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s", refill = Refill.INTERVAL)
        @LogAssertions(
                "@RateLimited.refill on Bucket.refillOfGcra: refill is for TOKEN_BUCKET only; leave it out of GCRA")
        void refillOfGcra();

        @GET
        @RateLimited(key = "{ip}", algorithm = UNIFORM, limit = 5, window = "10s", borrow = true)
        @LogAssertions(
                "@RateLimited.borrow on Bucket.borrowOfGate: borrow is for TOKEN_BUCKET only; leave it out of UNIFORM")
        void borrowOfGate();
    }

    interface Queue {
        @GET
        @RateLimited(key = "{ip}", algorithm = LEAKY_BUCKET, limit = 5, window = "10s")
        @LogAssertions(
                "@RateLimited.maxWait on Queue.missing: maxWait is missing; a LEAKY_BUCKET holds requests, and must know how"
                        + " long at most")
        void missing();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s", maxWait = "1s")
        @LogAssertions("@RateLimited.maxWait on Queue.ofGcra: maxWait is for LEAKY_BUCKET only; leave it out of GCRA")
        void ofGcra();

        @GET
        @RateLimited(key = "{ip}", algorithm = LEAKY_BUCKET, limit = 5, window = "10s", maxWait = "5")
        @LogAssertions(
                "@RateLimited.maxWait on Queue.withoutUnit: \"5\" is not a duration; write an amount and a unit, such as"
                        + " \"60s\" or \"1m\"")
        void withoutUnit();

        @GET
        @RateLimited(key = "{ip}", algorithm = LEAKY_BUCKET, limit = 5, window = "10s", maxWait = "367d")
        @LogAssertions("@RateLimited.maxWait on Queue.tooLong: maxWait must be from 0 to 366 days, was 367d")
        void tooLong();

        @GET
        @RateLimited(key = "{ip}", algorithm = LEAKY_BUCKET, limit = 1_000_000, window = "1s", maxWait = "1h")
        @LogAssertions(
                "@RateLimited.maxWait on Queue.tooMany: maxWait of 1h at 1000000 per 1s holds 3600000001 requests, which must"
                        + " be below 2^31; lower maxWait or limit")
        void tooMany();

        @GET
        @RateLimited(name = "a", key = "{ip}", algorithm = LEAKY_BUCKET, limit = 5, window = "1s", maxWait = "1s")
        @RateLimited(name = "b", key = "{user}", algorithm = LEAKY_BUCKET, limit = 5, window = "1s", maxWait = "1s")
        @LogAssertions(
                "@RateLimited.algorithm on Queue.two: LEAKY_BUCKET holds a request for one slot, and here are 2: a, b; keep"
                        + " one")
        void two();
    }

    @Path("costs")
    interface Cost {
        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s", cost = "-1")
        @LogAssertions(
                "@RateLimited.cost on Cost.negative: cost must be at least 1 unit, or \"0\" if the method reserves"
                        + " the units, was -1")
        void negative();

        @GET
        @RateLimited(key = "{ip}", algorithm = LEAKY_BUCKET, limit = 5, window = "10s", maxWait = "1s", cost = "0")
        @LogAssertions("@RateLimited.cost on Cost.nothingOfAQueue: \"0\" leaves the units to the method, which settles"
                + " them; LEAKY_BUCKET gives no unit back, use another algorithm")
        void nothingOfAQueue();

        @GET
        @RateLimited(key = "{ip}", algorithm = UNIFORM, limit = 5, window = "10s", cost = "0")
        @LogAssertions("@RateLimited.cost on Cost.nothingOfAGate: \"0\" leaves the units to the method, and UNIFORM"
                + " counts each request as 1, whatever the method says; use GCRA, or leave it out")
        void nothingOfAGate();

        @GET
        @RateLimited(key = "{ip}", algorithm = CONCURRENCY, limit = 5, cost = "0")
        @LogAssertions("@RateLimited.cost on Cost.nothingOfLeases: CONCURRENCY counts requests in flight, each as 1;"
                + " leave it out, was \"0\"")
        void nothingOfLeases();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s", cost = "")
        @LogAssertions(
                "@RateLimited.cost on Cost.empty: \"\" is no whole number of units; write \"5\", or a placeholder that ends in"
                        + " one, \"{query:size|'20'}\"")
        void empty();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s", cost = "1.5")
        @LogAssertions(
                "@RateLimited.cost on Cost.fraction: \"1.5\" is no whole number of units; write \"5\", or a placeholder that"
                        + " ends in one, \"{query:size|'20'}\"")
        void fraction();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s", cost = "{query:size}")
        @LogAssertions(
                "@RateLimited.cost on Cost.withoutDefault: \"{query:size}\" must end in a whole number of at least 1 for"
                        + " requests that do not say, as in \"{query:size|'20'}\"")
        void withoutDefault();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s", cost = "{query:size|'0'}")
        @LogAssertions(
                "@RateLimited.cost on Cost.zeroByDefault: \"{query:size|'0'}\" must end in a whole number of at least 1 for"
                        + " requests that do not say, as in \"{query:size|'20'}\"")
        void zeroByDefault();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s", cost = "{query:a|'1'}{query:b|'1'}")
        @LogAssertions("@RateLimited.cost on Cost.two: \"{query:a|'1'}{query:b|'1'}\" must be one placeholder, such as"
                + " \"{query:size|'20'}\"; it has 2 parts")
        void two();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s", cost = "{path:rows|'20'}")
        @LogAssertions("@RateLimited.cost on Cost.noSuchPath: no path parameter \"rows\" in \"costs\"; there is none")
        void noSuchPath();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s", cost = "6")
        @LogAssertions(
                "@RateLimited.cost on Cost.neverPasses: a request of 6 units could never pass: one may take at most 5")
        void neverPasses();

        @GET
        @RateLimited(key = "{ip}", algorithm = CONCURRENCY, limit = 5, cost = "2")
        @LogAssertions(
                "@RateLimited.cost on Cost.ofLeases: CONCURRENCY counts requests in flight, each as 1; leave it out, was"
                        + " \"2\"")
        void ofLeases();
    }

    interface Tiered {
        @GET
        @RateLimited(
                key = "{user}",
                algorithm = GCRA,
                limit = 5,
                window = "10s",
                tier = "{claim:a}{claim:b}",
                tiers = @Tier(name = "gold", limit = 50))
        @LogAssertions("@RateLimited.tier on Tiered.two: \"{claim:a}{claim:b}\" must be one placeholder, such as"
                + " \"{claim:plan}\"; it has 2 parts")
        void two();

        @GET
        @RateLimited(key = "{user}", algorithm = GCRA, limit = 5, window = "10s", tier = "{attribute:plan}")
        @LogAssertions(
                "@RateLimited.tiers on Tiered.noNumbers: is missing; write limit and burst of each tier, such as tiers ="
                        + " @Tier(name = \"gold\", limit = 6000)")
        void noNumbers();

        @GET
        @RateLimited(
                key = "{user}",
                algorithm = GCRA,
                limit = 5,
                window = "10s",
                tiers = @Tier(name = "gold", limit = 50))
        @LogAssertions(
                "@RateLimited.tier on Tiered.noExpression: is missing; write what names the caller's tier, such as"
                        + " \"{claim:plan}\"")
        void noExpression();

        @GET
        @RateLimited(
                key = "{user}",
                algorithm = GCRA,
                limit = 5,
                window = "10s",
                tier = "{header:X-Plan}",
                tiers = @Tier(name = "gold", limit = 50))
        @LogAssertions(
                "@RateLimited.tier on Tiered.chosen: \"{header:X-Plan}\" is what the caller writes, and it would choose the best"
                        + " tier; take it from \"{claim:...}\", \"{attribute:...}\" or \"{bean:...}\"")
        void chosen();

        @GET
        @RateLimited(
                key = "{user}",
                algorithm = GCRA,
                limit = 5,
                window = "10s",
                tier = "{attribute:plan|query:plan}",
                tiers = @Tier(name = "gold", limit = 50))
        @LogAssertions(
                "@RateLimited.tier on Tiered.chosenElse: \"{query:plan}\" is what the caller writes, and it would choose the best"
                        + " tier; take it from \"{claim:...}\", \"{attribute:...}\" or \"{bean:...}\"")
        void chosenElse();

        @GET
        @RateLimited(
                key = "{user}",
                algorithm = GCRA,
                limit = 5,
                window = "10s",
                tier = "#{request.header('X-Plan') == 'gold' ? request.query(\"plan\") : 'none'}",
                tiers = @Tier(name = "gold", limit = 50))
        @LogAssertions("@RateLimited.tier on Tiered.chosenInExpression: \"#{request.header('X-Plan') == 'gold' ?"
                + " request.query(\"plan\") : 'none'}\" is what the caller writes, and it would choose the best tier; take it"
                + " from \"{claim:...}\", \"{attribute:...}\" or \"{bean:...}\"")
        void chosenInExpression();

        @GET
        @RateLimited(key = "{user}", algorithm = GCRA, limit = 5, window = "10s", quota = "{bean:contracts}")
        @LogAssertions("@RateLimited.quota on Tiered.noContracts: \"bean:contracts\" is no CDI bean of type"
                + " dev.limiter.jaxrs.QuotaSource; CDI does not run here, add it and write one with"
                + " @Named(\"contracts\")")
        void noContracts();

        @GET
        @RateLimited(key = "{user}", algorithm = GCRA, limit = 5, window = "10s", quota = "{header:X-Limit}")
        @LogAssertions("@RateLimited.quota on Tiered.contractOfCaller: \"{header:X-Limit}\" must be one bean, such as"
                + " \"{bean:contracts}\", which has the quota of each partition")
        void contractOfCaller();

        @GET
        @RateLimited(key = "{user}", algorithm = GCRA, limit = 5, window = "10s", quota = "{bean:a}{bean:b}")
        @LogAssertions("@RateLimited.quota on Tiered.contractOfTwo: \"{bean:a}{bean:b}\" must be one placeholder, such"
                + " as \"{bean:contracts}\"; it has 2 parts")
        void contractOfTwo();

        @GET
        @RateLimited(key = "{user}", algorithm = GCRA, limit = 5, window = "10s", quota = "{bean:contracts|'5'}")
        @LogAssertions("@RateLimited.quota on Tiered.contractOrElse: \"{bean:contracts|'5'}\" must be one bean, such as"
                + " \"{bean:contracts}\", which has the quota of each partition")
        void contractOrElse();

        @GET
        @RateLimited(
                key = "{user}",
                algorithm = GCRA,
                limit = 5,
                window = "10s",
                quota = "{bean:contracts}",
                tier = "{claim:plan}",
                tiers = @Tier(name = "gold", limit = 50))
        @LogAssertions(
                "@RateLimited.quota on Tiered.tiersAndContracts: cannot stand beside tier and tiers; let the bean"
                        + " return the quota of each tier, or leave it out")
        void tiersAndContracts();

        @GET
        @RateLimited(
                key = "{user}",
                algorithm = GCRA,
                limit = 5,
                window = "10s",
                tier = "{plan}",
                tiers = @Tier(name = "gold", limit = 50))
        @LogAssertions(
                "@RateLimited.tier on Tiered.unknown: unknown name \"plan\" in \"{plan}\"; did you mean \"bean\"?")
        void unknown();

        @GET
        @RateLimited(
                key = "{user}",
                algorithm = GCRA,
                limit = 5,
                window = "10s",
                tier = "{attribute:plan}",
                tiers = {
                    @Tier(name = "gold", limit = -1),
                    @Tier(name = "silver", burst = -1),
                    @Tier(name = "staff", limit = 50, unlimited = true),
                    @Tier(name = "basic"),
                    @Tier(name = "free", limit = 2),
                    @Tier(name = "free", limit = 3),
                })
        @LogAssertions({
            "@RateLimited.tiers on Tiered.wrong: tier \"gold\" must not have a limit or burst below 1, has limit -1 and burst 0",
            "@RateLimited.tiers on Tiered.wrong: tier \"silver\" must not have a limit or burst below 1, has limit 0 and burst -1",
            "@RateLimited.tiers on Tiered.wrong: tier \"staff\" is unlimited and has a limit or burst; leave one out",
            "@RateLimited.tiers on Tiered.wrong: tier \"basic\" changes nothing; give it a limit, a burst or unlimited ="
                    + " true",
            "@RateLimited.tiers on Tiered.wrong: \"free\" is there twice",
        })
        void wrong();

        @GET
        @RateLimited(
                key = "{user}",
                algorithm = FIXED_WINDOW,
                limit = 5,
                window = "10s",
                tier = "{attribute:plan}",
                tiers = @Tier(name = "gold", limit = 50, burst = 60))
        @LogAssertions(
                "@RateLimited.tiers on Tiered.burstOfWindow: tier \"gold\": FIXED_WINDOW has no burst; leave it out, was 60")
        void burstOfWindow();

        @GET
        @RateLimited(
                key = "{user}",
                algorithm = TOKEN_BUCKET,
                limit = 5,
                window = "10s",
                tier = "{attribute:plan}",
                tiers = @Tier(name = "go.ld", limit = 50))
        @LogAssertions(
                "@RateLimited.tiers on Tiered.dot: tier \"go.ld\" must be 1 to 100 characters of printable ASCII without"
                        + " blank, dot, quote or backslash")
        void dot();

        @GET
        @RateLimited(
                key = "{user}",
                algorithm = TOKEN_BUCKET,
                limit = 5,
                window = "10s",
                tier = "{attribute:plan}",
                tiers = {
                    @Tier(name = "\"", limit = 50),
                    @Tier(name = "\\", limit = 50),
                    @Tier(name = "Größe", limit = 50)
                })
        @LogAssertions({
            "@RateLimited.tiers on Tiered.names: tier \"\"\" must be 1 to 100 characters of printable ASCII without blank,"
                    + " dot, quote or backslash",
            "@RateLimited.tiers on Tiered.names: tier \"\\\" must be 1 to 100 characters of printable ASCII without blank,"
                    + " dot, quote or backslash",
            "@RateLimited.tiers on Tiered.names: tier \"Größe\" must be 1 to 100 characters of printable ASCII without"
                    + " blank, dot, quote or backslash",
        })
        void names();
    }

    interface CountOn {
        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s", countOn = "4x")
        @LogAssertions(
                "@RateLimited.countOn on CountOn.noClass: \"4x\" in \"4x\" is no status; write statuses and classes such as"
                        + " \"401,403\" or \"5xx\", or one negation, \"!5xx\"")
        void noClass();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s", countOn = "401,600")
        @LogAssertions(
                "@RateLimited.countOn on CountOn.noStatus: \"600\" in \"401,600\" is no status; write statuses and classes"
                        + " such as \"401,403\" or \"5xx\", or one negation, \"!5xx\"")
        void noStatus();

        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s", countOn = "!4xx,500")
        @LogAssertions(
                "@RateLimited.countOn on CountOn.negations: \"!4xx,500\" negates more than one; write the statuses that count,"
                        + " or one negation, \"!5xx\"")
        void negations();

        @GET
        @RateLimited(key = "{ip}", algorithm = CONCURRENCY, limit = 5, countOn = "5xx")
        @LogAssertions(
                "@RateLimited.countOn on CountOn.leases: \"5xx\" has no meaning for CONCURRENCY, which counts requests and no"
                        + " responses; leave it out")
        void leases();

        @GET
        @RateLimited(key = "{ip}", algorithm = LEAKY_BUCKET, limit = 5, window = "1s", maxWait = "1s", countOn = "5xx")
        @LogAssertions(
                "@RateLimited.countOn on CountOn.queue: \"5xx\" has no meaning for LEAKY_BUCKET, which counts requests and no"
                        + " responses; leave it out")
        void queue();
    }
}
