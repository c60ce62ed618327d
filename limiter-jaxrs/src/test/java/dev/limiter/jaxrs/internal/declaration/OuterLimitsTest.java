package dev.limiter.jaxrs.internal.declaration;

import static dev.limiter.Algorithm.CONCURRENCY;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.UNIFORM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Policy;
import dev.limiter.RateLimitExempt;
import dev.limiter.RateLimited;
import dev.limiter.Stage;
import dev.limiter.jaxrs.LogLines;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.internal.policy.DeclarationSite;
import dev.limiter.jaxrs.internal.policy.Limit;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import jakarta.servlet.http.HttpServlet;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Limits that classes and methods inherit, and exemptions on each level, which concern outer
 * limits only.
 */
class OuterLimitsTest {
    @RateLimited(
            name = "early",
            key = "{ip}",
            algorithm = GCRA,
            limit = 5,
            window = "1m",
            stage = Stage.BEFORE_MATCHING)
    @RateLimited(
            name = "early2",
            key = "{ip}",
            algorithm = GCRA,
            limit = 6,
            window = "2m",
            stage = Stage.BEFORE_MATCHING)
    @RateLimited(name = "app", key = "{ip}", algorithm = GCRA, limit = 7, window = "3m")
    @RateLimited(name = "app2", key = "{ip}", algorithm = GCRA, limit = 8, window = "4m")
    static final class Outermost extends Application {}

    @RateLimitExempt("app")
    @RateLimited(name = "class", key = "{ip}", algorithm = GCRA, limit = 9, window = "5m")
    static class OfSome {
        @GET
        public void plain() {}

        @GET
        @RateLimitExempt
        @RateLimited(name = "method", key = "{ip}", algorithm = GCRA, limit = 10, window = "6m")
        public void alone() {}

        @GET
        @RateLimitExempt({"class"})
        public void other() {}

        @GET
        @RateLimitExempt({"app2", "class"})
        @RateLimited(name = "method2", key = "{ip}", algorithm = GCRA, limit = 10, window = "6m")
        public void both() {}
    }

    @RateLimitExempt
    @RateLimited(name = "own", key = "{ip}", algorithm = GCRA, limit = 9, window = "5m")
    static class OfAll {
        @GET
        public void plain() {}
    }

    /** It has an annotation of its own, so it inherits none from its super class. */
    @RateLimitExempt
    static class Below extends OfSome {
        @GET
        @Override
        public void plain() {}
    }

    private final List<String> problems = new ArrayList<>();
    private final PlanReader reader = new PlanReader(
            new PolicyRegistry(new MapSettings(), Policy.DEFAULT_LEASE, System::nanoTime), Outermost.class);

    private List<String> limits(Class<?> type, String method) throws NoSuchMethodException {
        return reader.read(type, type.getMethod(method), problems).limits().stream()
                .map(Limit::name)
                .toList();
    }

    @Test
    void eachLevelTakesOutWhatIsFurtherOutAndKeepsItsOwn() throws NoSuchMethodException {
        assertThat(limits(OfSome.class, "plain")).containsExactly("app2", "class");
        assertThat(limits(OfSome.class, "alone")).containsExactly("method");
        assertThat(limits(OfSome.class, "other")).containsExactly("app2");
        assertThat(limits(OfSome.class, "both")).containsExactly("method2");
        assertThat(limits(OfAll.class, "plain")).containsExactly("own");
        assertThat(limits(Below.class, "plain")).isEmpty();
        assertThat(problems).isEmpty();
        assertThat(reader.beforeMatching().limits()).extracting(Limit::name).containsExactly("early", "early2");
    }

    @Path("x")
    static class Wrong {
        @GET
        @RateLimitExempt("early")
        public void first() {}

        @GET
        @RateLimitExempt("early2")
        public void second() {}

        @GET
        @RateLimitExempt({"app", "app3"})
        public void third() {}
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "first  | \"early\" is decided before matching, when this place is not known; leave it out, or give the"
                        + " limit a later stage",
                "second | \"early2\" is decided before matching, when this place is not known; leave it out, or give the"
                        + " limit a later stage",
                "third  | \"app3\" names no limit of the class or the application; did you mean \"app\"?",
            })
    void anExemptionThatTakesOutNothingIsSaid(String method, String why) throws NoSuchMethodException {
        limits(Wrong.class, method);
        assertThat(problems).containsExactly("@RateLimitExempt.value on Wrong." + method + ": " + why);
    }

    @RateLimited(name = "super", key = "{ip}", algorithm = GCRA, limit = 5, window = "1m")
    static class Above {}

    @RateLimited(name = "interface", key = "{ip}", algorithm = GCRA, limit = 6, window = "1m")
    interface Beside {}

    @RateLimited(name = "interface2", key = "{ip}", algorithm = GCRA, limit = 7, window = "1m")
    interface Beside2 {}

    static class OfBoth extends Above implements Beside, Beside2 {}

    static class OfInterfaces implements Beside, Beside2 {}

    /** The super class goes before interfaces, and the first interface before the second. */
    @Test
    void theNearestThatSaysAnythingIsInherited() {
        assertThat(AnnotationFinder.on(OfBoth.class).limits())
                .extracting(found -> found.limited().name())
                .containsExactly("super");
        assertThat(AnnotationFinder.on(OfInterfaces.class).limits())
                .extracting(found -> found.limited().name())
                .containsExactly("interface");
    }

    /**
     * Reading needs a lock and reflection: a method without limits must not pay for it with each
     * request.
     */
    @Test
    void aClassIsReadOnceWhetherItHasLimitsOrNot() throws NoSuchMethodException {
        Plans plans = new Plans(reader, NoEndpoints.known());
        Method limited = OfAll.class.getMethod("plain");
        assertThat(plans.of(OfAll.class, limited)).isSameAs(plans.of(OfAll.class, limited));
        PlanReader none = new PlanReader(
                new PolicyRegistry(new MapSettings(), Policy.DEFAULT_LEASE, System::nanoTime), Application.class);
        Plans unlimited = new Plans(none, NoEndpoints.known());
        Method method = Unlimited.class.getMethod("get");
        assertThat(unlimited.of(Unlimited.class, method).isEmpty()).isTrue();
        assertThat(unlimited.of(Unlimited.class, method)).isSameAs(unlimited.of(Unlimited.class, method));
    }

    static class Unlimited {
        @GET
        public void get() {}
    }

    /**
     * A name that one of them lacks is made of class and method, and is another one for each.
     */
    static class Overloads {
        @GET
        public void get() {}

        @GET
        public void get(String text) {}

        public void helper() {}

        @GET
        void hidden() {}
    }

    @Test
    void overloadsAreDifferentPlaces() throws NoSuchMethodException {
        DeclarationSite one = DeclarationSite.of(Overloads.class, Overloads.class.getMethod("get"));
        DeclarationSite other = DeclarationSite.of(Overloads.class, Overloads.class.getMethod("get", String.class));
        assertThat(one).isNotEqualTo(other);
        assertThat(one.shortName()).isEqualTo("Overloads.get").isEqualTo(other.shortName());
        assertThat(other.identity()).endsWith("OuterLimitsTest$Overloads.get(java.lang.String)");
    }

    @Test
    void everyMethodIsEitherAskedOrNot() throws NoSuchMethodException {
        assertThat(ResourceMethods.of(Overloads.class, Overloads.class.getMethod("get")))
                .extracting(method -> method.getName() + method.getParameterCount())
                .containsExactly("get0", "get1");
        assertThat(ResourceMethods.othersOf(Overloads.class))
                .extracting(method -> method.getName())
                .containsExactlyInAnyOrder("helper", "hidden");
    }

    /** Answers what is below its path by other classes. */
    @Path("shop")
    @RateLimited(name = "shop", key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
    public static class Shop {
        @Path("open")
        public Free open() {
            return new Free();
        }

        @Path("by-class")
        public Class<Free> byClass() {
            return Free.class;
        }

        @Path("any")
        public Object any() {
            return new Free();
        }

        @Path("limited")
        public OfAll limited() {
            return new OfAll();
        }

        @Path("by-method")
        public Class<OfSome> byMethod() {
            return OfSome.class;
        }
    }

    @Path("free")
    public static class Free {
        @GET
        public void get() {}

        @Path("deeper")
        public Free deeper() {
            return this;
        }
    }

    @Test
    void whatALocatorReturnsIsWarnedOfUnlessItHasLimits() {
        assertThat(DeclarationWarnings.ofLocators(Shop.class))
                .containsExactlyInAnyOrder(warning("any"), warning("byClass"), warning("open"));
        assertThat(DeclarationWarnings.ofLocators(Free.class)).isEmpty();
    }

    /** No server shows the methods of a class that has locators alone. */
    @Test
    void aClassWithLocatorsAloneIsWarnedOfAtTheStart() {
        EarlyValidator check = new EarlyValidator(
                new MapSettings(), new PolicyRegistry(new MapSettings(), Policy.DEFAULT_LEASE, System::nanoTime));
        check.checkPlans(Set.of(Outermost.class, Shop.class, Free.class));
        assertThat(check.warnings()).containsExactly(warning("any"), warning("byClass"), warning("open"));
    }

    private static String warning(String locator) {
        return "LIM08 " + Shop.class.getName() + '.' + locator
                + "(): the limits of Shop do not count the requests to what this locator returns; limit that class, too";
    }

    @RateLimited(name = "wide", key = "{ip}", algorithm = GCRA, limit = 600, window = "1m")
    @RateLimited(name = "flights", key = "{ip}", algorithm = CONCURRENCY, limit = 9)
    static final class Wide extends Application {}

    /** With a tighter limit on the class, from which one method is exempt. */
    @Path("but-one")
    @RateLimited(name = "tight", key = "{ip}", algorithm = UNIFORM, limit = 1, window = "10s")
    @RateLimited(name = "two", key = "{ip}", algorithm = CONCURRENCY, limit = 2)
    static class ButOne {
        @GET
        public void all() {}

        @POST
        @RateLimitExempt({"tight", "two"})
        public void one() {}
    }

    @Path("each")
    @RateLimited(name = "tight", key = "{ip}", algorithm = UNIFORM, limit = 1, window = "10s")
    static class Each {
        @GET
        public void get() {}
    }

    /** After {@link Each}, in the order of their names. */
    @Path("failures")
    @RateLimited(name = "tight", key = "{ip}", algorithm = UNIFORM, limit = 1, window = "10s", countOn = "4xx")
    static class Failures extends Each {}

    /** Shares a limit by its name. */
    @RateLimited(name = "wide", key = "{ip}", algorithm = GCRA, limit = 600, window = "1m")
    static class Servlet extends HttpServlet {
        private static final long serialVersionUID = 1;
    }

    @Test
    void aWiderLimitBindsWhereTheTighterOneIsNot() {
        assertThat(neverBind(Wide.class, Each.class)).containsExactly("wide");
        assertThat(neverBind(Wide.class, ButOne.class)).isEmpty();
        assertThat(neverBind(Wide.class, Each.class, ButOne.class)).isEmpty();
        assertThat(neverBind(Wide.class, Each.class, Failures.class)).isEmpty();
        assertThat(neverBind(Wide.class, Each.class, Servlet.class)).isEmpty();
    }

    private static List<String> neverBind(Class<?> application, Class<?>... classes) {
        PolicyRegistry policies = new PolicyRegistry(new MapSettings(), Policy.DEFAULT_LEASE, System::nanoTime);
        PlanReader reader = new PlanReader(policies, application);
        Stream.of(classes).filter(HttpServlet.class::isAssignableFrom).forEach(type -> reader.read(type, List.of()));
        try (LogLines lines = new LogLines("dev.limiter.plan")) {
            new Plans(
                            reader,
                            new DeployedEndpoints(new MapSettings(), policies)
                                    .started(application, "", List.of(classes), List.of()))
                    .readAll();
            return lines.taken().stream()
                    .filter(line -> line.startsWith("WARNING LIM01"))
                    .map(line -> line.replaceAll(".*: \"(\\w+)\" can never bind.*", "$1"))
                    .toList();
        }
    }
}
