package dev.limiter.jaxrs.internal.bootstrap;

import static dev.limiter.Algorithm.GCRA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.limiter.RateLimitExempt;
import dev.limiter.RateLimited;
import dev.limiter.RateLimiter;
import dev.limiter.Tier;
import dev.limiter.jaxrs.LogLines;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.RunningCdi;
import dev.limiter.jaxrs.internal.servlet.ServletInitializer;
import dev.limiter.jaxrs.internal.signals.Listeners;
import dev.limiter.spi.Settings;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.GenericServlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Mistakes that are found before an application is up, when all servers still refuse it, and
 * their log lines.
 */
class ApplicationStartTest {
    private final List<String> registered = new ArrayList<>();
    /** The filter that is registered first. */
    private Filter first;

    private ServletContextListener listener;
    private ServletContext application;
    private ClassLoader loader = getClass().getClassLoader();
    private final MapSettings settings = new MapSettings();
    private final LogLines log = new LogLines("dev.limiter.plan");

    @Path("shop")
    static class Shop {
        @GET
        @Path("{show}")
        @RateLimited(
                name = "search",
                key = "{path:show}/{user}",
                algorithm = GCRA,
                limit = 5,
                window = "10s",
                tier = "{claim:plan}",
                tiers = @Tier(name = "gold", limit = 50))
        public String search() {
            return "";
        }

        @Path("cart")
        public Cart cart() {
            return new Cart();
        }
    }

    /** No server shows this class for its annotations: the super class has them. */
    static class Cart extends Basket {}

    abstract static class Basket {
        @GET
        @Protected
        public String get() {
            return "";
        }
    }

    @RateLimited(key = "{user}", algorithm = GCRA, limit = 5, window = "10s")
    @Retention(RetentionPolicy.RUNTIME)
    @interface Protected {}

    @Path("wrong/{show}")
    static class NoSuchParameter {
        @GET
        @RateLimited(key = "{path:shwo}", algorithm = GCRA, limit = 5, window = "10s")
        public String get() {
            return "";
        }
    }

    @Path("wrong")
    static class Hidden {
        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
        private String get() {
            return "";
        }
    }

    @Path("wrong")
    static class LeadingToAWrongOne {
        @Path("cart")
        public WrongSubResource cart() {
            return new WrongSubResource();
        }
    }

    static class WrongSubResource {
        @GET
        @RateLimitExempt("flood")
        public String get() {
            return "";
        }
    }

    @Path("object")
    static class LeadingToAnObject {
        @Path("cart")
        public Object cart() {
            return new Cart();
        }
    }

    @Path("interface")
    static class LeadingToAnInterface {
        @Path("cart")
        public Named cart() {
            return null;
        }
    }

    interface Named {
        @GET
        String get();
    }

    @Path("class")
    static class LeadingToAClass {
        @Path("cart")
        public Class<?> cart() {
            return Cart.class;
        }
    }

    @Path("unlimited")
    static class Unlimited {
        @GET
        public String get() {
            return "";
        }
    }

    @Path("exempt")
    static class Exempt {
        @GET
        @RateLimitExempt("flood")
        public String get() {
            return "";
        }
    }

    @RateLimited(key = "{path:show}", algorithm = GCRA, limit = 5, window = "10s")
    static class Pathless extends HttpServlet {
        private static final long serialVersionUID = 1L;
    }

    @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
    static class PlainServlet extends GenericServlet {
        private static final long serialVersionUID = 1L;

        @Override
        public void service(ServletRequest request, ServletResponse response) {}
    }

    @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
    static class Export extends HttpServlet {
        private static final long serialVersionUID = 1L;
    }

    @RateLimited(name = "flood", key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
    static class Flooded extends Application {}

    static class Quiet extends Application {}

    @AfterEach
    void closeLog() {
        log.close();
    }

    @Test
    void aPathParameterThatIsNotThereIsFound() {
        assertThatExceptionOfType(RateLimitDeploymentException.class)
                .isThrownBy(() -> check(Set.of(NoSuchParameter.class)))
                .withMessage(
                        "@RateLimited.key on NoSuchParameter.get: no path parameter \"shwo\" in \"wrong/{show}\"; did you"
                                + " mean \"show\"?");
    }

    /**
     * An absolute ordering in web.xml keeps the container from running the initializer. So does an
     * embedded Jetty, whose context may have no class loader.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aServletWhoseLimitNoFilterDecidesIsRefusedWhenJakartaRestStarts(boolean hasLoader) throws ServletException {
        loader = hasLoader ? loader : null;
        ApplicationRuntime runtime = runtime(settings);
        start("other.parameter", runtime);
        assertThatCode(() -> ServletInitializer.requireFilters(application, runtime))
                .doesNotThrowAnyException();
        application.setAttribute("dev.limiter.initialized", null);
        assertThatExceptionOfType(RateLimitDeploymentException.class)
                .isThrownBy(() -> ServletInitializer.requireFilters(application, runtime))
                .withMessage(
                        "@RateLimited on Export has no effect: the servlet container has not run the initializer of"
                                + " limiter-jaxrs; add <others/> to the <absolute-ordering> in web.xml, or limit a resource"
                                + " instead");
        runtime.close();
    }

    @Test
    void aServletThatIsNoHttpServletIsWarnedOf() {
        check(Set.of(PlainServlet.class, Export.class)).close();
        assertThat(log.taken())
                .singleElement()
                .asString()
                .startsWith("WARNING LIM06 " + PlainServlet.class.getName() + " carries limits that no request meets");
    }

    @Test
    void aMethodThatIsNotPublicIsFound() {
        assertThatExceptionOfType(RateLimitDeploymentException.class)
                .isThrownBy(() -> check(Set.of(Hidden.class)))
                .withMessage("@RateLimited on Hidden.get: the method is not public, so no request reaches it; make it"
                        + " public");
    }

    @Test
    void aSubResourceIsReadWhereItsLocatorNamesItsClass() {
        assertThatExceptionOfType(RateLimitDeploymentException.class)
                .isThrownBy(() -> check(Set.of(LeadingToAWrongOne.class)))
                .withMessage(
                        "@RateLimitExempt.value on WrongSubResource.get: \"flood\" names no limit of the class or the"
                                + " application; there is none");
    }

    /** It is not known yet to which of two applications a class belongs. */
    @Test
    void withTwoApplicationsThatIsWrongWhichIsWrongInBoth() {
        assertThatCode(() -> check(Set.of(Exempt.class, Flooded.class))).doesNotThrowAnyException();
        assertThatCode(() -> check(Set.of(Exempt.class, Flooded.class, Quiet.class)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> check(Set.of(Exempt.class, Quiet.class))).hasMessageContaining("names no limit");
        assertThatThrownBy(() -> check(Set.of(NoSuchParameter.class, Flooded.class, Quiet.class)))
                .hasMessageContaining("shwo");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "limiter.redis.uri             | redis:/localhost | limiter.redis.uri: ",
                "limiter.redis.deadline        | 150              | limiter.redis.deadline: \"150\" is not a duration",
                "limiter.redis.max-round-trips        | 0                | limiter.redis.max-round-trips: must be a whole number from 1",
                "limiter.cache-rejections   | yes              | limiter.cache-rejections: must be true or false",
                "limiter.on-store-failure      | OPNE             | limiter.on-store-failure: \"OPNE\" is not one of LOCAL",
                "limiter.expected-instances        | 0                | limiter.expected-instances: must be a whole number from 1",
                "limiter.trusted-proxies       | our proxy        | limiter.trusted-proxies: \"our proxy\" is not an address",
                "limiter.ipv6-prefix           | 129              | limiter.ipv6-prefix: must be a whole number from 1",
                "limiter.require-limits        | off              | limiter.require-limits: must be list, warn or fail",
                "limiter.lease                 | 1ms              | limiter.lease: must be from 1s to 1h",
                "limiter.lease.longest         | 29s              | limiter.lease.longest: must be from 30s to 30d",
                "limiter.configuration.shared  | maybe            | limiter.configuration.shared: must be true or false",
            })
    void aSettingThatCannotBeUsedIsFound(String name, String value, String message) {
        settings.with("limiter.redis.uri", "redis://127.0.0.1:1").with(name, value);
        assertThatThrownBy(() -> check(Set.of())).hasMessageStartingWith(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "limiter.redis.url                   | no such setting; the nearest is \"limiter.redis.uri\"",
                "limiter.trusted-proxy               | no such setting; the nearest is \"limiter.trusted-proxies\"",
                "limiter.on-store-failuer            | no such setting; the nearest is \"limiter.on-store-failure\"",
                "limiter.policy.serch.burst          | no policy of this application has that name; did you mean \"search\"?",
                "LIMITER_POLICY_SERCH_BURST          | no such setting; the nearest is \"LIMITER_POLICY_SEARCH_BURST\"",
            })
    void anUnknownSettingFailsTheStart(String name, String problem) {
        settings.with(name, "9");
        assertThatExceptionOfType(RateLimitDeploymentException.class)
                .isThrownBy(() -> check(Set.of(Shop.class)))
                .withMessage(name + ": " + problem
                        + " (where services share this configuration, limiter.configuration.shared=true makes it a"
                        + " warning)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"limiter.policy.search.bursst", "limiter.policy.search.tier.glod.limit"})
    void soDoesAnUnknownMemberOrTier(String name) {
        settings.with(name, "9");
        assertThatThrownBy(() -> check(Set.of(Shop.class))).hasMessageStartingWith(name + ": ");
    }

    @Test
    void whereServicesShareTheConfigurationItIsAWarning() {
        settings.with("limiter.configuration.shared", "true")
                .with("limiter.redis.url", "redis://other")
                .with("limiter.policy.serch.burst", "9");
        check(Set.of(Shop.class)).policies().readAgainWhenDue();
        assertThat(log.taken())
                .containsExactly(
                        "WARNING LIM05 limiter.redis.url: no such setting; the nearest is \"limiter.redis.uri\"",
                        "WARNING LIM05 limiter.policy.serch.burst: no policy of this application has that name");
    }

    /** Images and scripts have variables of their own that begin with the name of a service. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "LIMITER_VERSION",
                "LIMITER_IMAGE_TAG",
                "LIMITER_OPTS",
                "LIMITER_HOME",
                "LIMITER_APPLICATION_ID",
                "LIMITER_POLICY_FILE",
            })
    void aVariableThatIsNearToNoSettingIsAWarningWithoutAHint(String name) {
        settings.with(name, "9");
        check(Set.of(Shop.class)).policies().readAgainWhenDue();
        assertThat(log.taken()).containsExactly("WARNING LIM05 " + name + ": no such setting");
    }

    @ParameterizedTest
    @CsvSource({
        "LIMITER_REDIS_URL, LIMITER_REDIS_URI",
        "LIMITER_TRUSTED_PROXY, LIMITER_TRUSTED_PROXIES",
        "LIMITER_POLCY_SEARCH_LIMIT, LIMITER_POLICY_SEARCH_LIMIT",
        "LIMITER_POLICY_SERCH_TIER_GOLD_LIMIT, LIMITER_POLICY_SEARCH_TIER_GOLD_LIMIT",
    })
    void aVariableThatIsNearToASettingFailsTheStart(String name, String nearest) {
        settings.with(name, "9");
        assertThatThrownBy(() -> check(Set.of(Shop.class)))
                .hasMessageStartingWith(name + ": no such setting; the nearest is \"" + nearest + '"');
    }

    /** Its sub-resources may be of a jar that the server does not scan. */
    @ParameterizedTest
    @ValueSource(classes = {LeadingToAnObject.class, LeadingToAnInterface.class, LeadingToAClass.class})
    void aPolicyThatMayBeBehindALocatorIsAWarning(Class<?> resource) {
        settings.with("limiter.policy.remote.limit", "9").with("LIMITER_POLICY_SERCH_BURST", "9");
        check(Set.of(Shop.class, resource)).policies().readAgainWhenDue();
        assertThat(log.taken())
                .hasSize(2)
                .anyMatch(line -> line.startsWith("WARNING LIM05 limiter.policy.remote.limit: no policy"))
                .anyMatch(line -> line.startsWith("WARNING LIM05 LIMITER_POLICY_SERCH_BURST: no such setting"));
    }

    @Test
    void soIsAnyPolicyWhereTheServerShowsNoLimits() {
        settings.with("limiter.policy.remote.limit", "9");
        check(Set.of()).policies().readAgainWhenDue();
        check(Set.of(Unlimited.class)).policies().readAgainWhenDue();
        assertThat(log.taken())
                .hasSize(2)
                .allMatch(line -> line.startsWith("WARNING LIM05 limiter.policy.remote.limit: no policy"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"limiter.redis.url", "limiter.policy.search.bursst", "limiter.policy.search.tier.glod.limit"})
    void allOtherNamesFailTheStartThereToo(String name) {
        settings.with(name, "9");
        assertThatThrownBy(() -> check(Set.of(Shop.class, LeadingToAnObject.class)))
                .hasMessageStartingWith(name + ": ");
    }

    @Test
    void aContextParameterThatNothingReadsFailsTheStart() {
        assertThatThrownBy(() -> start("limiter.headers"))
                .hasMessageStartingWith("limiter.headers: is a context parameter of the web application");
        assertThat(log.taken()).hasSize(1).allMatch(line -> line.startsWith("SEVERE Limits cannot be put in force"));
    }

    @Test
    void whereServicesShareTheConfigurationItIsAWarningToo() throws ServletException {
        settings.with("limiter.configuration.shared", "true");
        start("limiter.headers");
        assertThat(log.taken())
                .containsExactly(
                        "WARNING LIM05 limiter.headers: is a context parameter of the web application, which the"
                                + " limiter does not read; write it into META-INF/microprofile-config.properties");
    }

    /** A name that is near to a policy of this application may be right in another service. */
    @Test
    void whereServicesShareTheConfigurationNoPolicyIsHintedAt() {
        settings.with("limiter.configuration.shared", "true")
                .with("limiter.policy.carrier.key", "'all'")
                .with("limiter.policy.carrier.algorithm", "GCRA")
                .with("limiter.policy.carrier.limit", "5")
                .with("limiter.policy.carrier.window", "10s")
                .with("limiter.policy.carrier2.burst", "9")
                .with("LIMITER_POLICY_CARRIER3_BURST", "9");
        ApplicationRuntime runtime = check(Set.of(Shop.class));
        log.taken();
        runtime.policies().readAgainWhenDue();
        assertThat(log.taken())
                .containsExactlyInAnyOrder(
                        "WARNING LIM05 LIMITER_POLICY_CARRIER3_BURST: no such setting",
                        "WARNING LIM05 limiter.policy.carrier2.burst: no policy of this application has that name");
    }

    /**
     * Of resources, of what their locators return, of other class loaders, and of the
     * configuration itself.
     */
    @Test
    void allPoliciesThatThereAreAreKnown() {
        settings.with("limiter.policy.search.limit", "6")
                .with("limiter.policy.Cart.get.limit", "6")
                .with("limiter.policy.flood.limit", "6")
                .with("limiter.policy.carrier.key", "'all'")
                .with("limiter.policy.carrier.algorithm", "GCRA")
                .with("limiter.policy.carrier.limit", "5")
                .with("limiter.policy.carrier.window", "10s");
        ApplicationRuntime runtime = new ApplicationRuntime(settings, ServerContext.withoutServlets(null));
        assertThatCode(() -> runtime.validator().check(Set.of(Shop.class), Set.of(Flooded.class)))
                .doesNotThrowAnyException();
    }

    @Test
    void aPolicyOfTheConfigurationIsLoggedOnce() {
        settings.with("limiter.policy.carrier.key", "'all'")
                .with("limiter.policy.carrier.algorithm", "GCRA")
                .with("limiter.policy.carrier.limit", "5")
                .with("limiter.policy.carrier.window", "10s");
        check(Set.of(Shop.class));
        assertThat(log.taken())
                .containsExactly("INFO Policy \"carrier\" of the configuration: GCRA 5 per 10s with burst 5");
    }

    @Test
    void whatFailsTheStartLaterIsOneLineAndIsSaidAgainWhenRequestsFail() {
        ApplicationRuntime runtime = new ApplicationRuntime(settings, ServerContext.withoutServlets(null));
        runtime.failure().remind();
        assertThat(log.taken()).isEmpty();
        RuntimeException wrong = new RateLimitDeploymentException(java.util.List.of("this is wrong", "that is wrong"));
        runtime.failure().failed(wrong);
        runtime.failure().failed(wrong);
        assertThat(log.taken()).containsExactly("SEVERE Limits cannot be put in force: this is wrong | that is wrong");
        runtime.failure().remind();
        runtime.failure().remind();
        assertThat(log.taken())
                .containsExactly("SEVERE Requests fail, and limits could not be put in force: this is wrong | that is"
                        + " wrong");
    }

    /** Otherwise each start would tell one of them. */
    @Test
    void allWrongSettingsAreNamedInOneError() {
        settings.with("limiter.lease", "soon")
                .with("limiter.redis.deadline", "1h")
                .with("limiter.redis.url", "redis://localhost")
                .with("limiter.headers", "draft-7")
                .with("limiter.policy.one.key", "{ip}")
                .with("limiter.policy.other.key", "{nobody}")
                .with("limiter.policy.buyer.limit", "many")
                .with("limiter.policy.buyer.window", "soon")
                .with("limiter.policy.buyer.enabled", "maybe")
                .with("limiter.policy.buyer.tier.gold.limit", "0")
                .with("limiter.policy.buyer.burst", "5");
        assertThatThrownBy(() -> runtime(settings))
                .message()
                .satisfies(said -> assertThat(said.lines().map(line -> line.replaceAll(":.*", "")))
                        .containsExactlyInAnyOrder(
                                "limiter.lease",
                                "limiter.redis.deadline",
                                "limiter.redis.url",
                                "limiter.headers",
                                "limiter.policy.one.key",
                                "limiter.policy.other.key",
                                "limiter.policy.buyer.limit",
                                "limiter.policy.buyer.window",
                                "limiter.policy.buyer.enabled",
                                "limiter.policy.buyer.tier.gold.limit"));
    }

    /** The policy may be that of another service. */
    @Test
    void aWrongValueOfAPolicyIsLeftToTheServiceThatHasItWhereServicesShareTheConfiguration() {
        settings.with("limiter.configuration.shared", "true").with("limiter.policy.buyer.limit", "many");
        assertThatCode(() -> runtime(settings).close()).doesNotThrowAnyException();
    }

    /** Two of them on one Redis would share what they count under equal names. */
    @ParameterizedTest
    @CsvSource({"'', , true", "'', shop, false", "'', /, false", "/api, , true", "/api, /api, false"})
    void anApplicationWithoutANameIsWarnedOf(String contextPath, String name, boolean warned) {
        settings.with("limiter.redis.uri", "redis://127.0.0.1:1");
        if (name != null) {
            settings.with("limiter.application", name);
        }
        ApplicationRuntime runtime = new ApplicationRuntime(settings, ServerContext.ofServlets(contextPath, () -> {}));
        runtime.limiter().close();
        assertThat(log.taken())
                .hasSize(warned ? 1 : 0)
                .allMatch(line -> line.startsWith("WARNING LIM07 ")
                        && line.contains("called \"" + (contextPath.isEmpty() ? "/" : contextPath) + '"')
                        && line.contains("Set limiter.application"));
    }

    @Test
    void aLimiterThatTheApplicationNamesIsUsedUnlessAnotherOneIsInUse() {
        RateLimiter named = new ApplicationRuntime(settings, ServerContext.withoutServlets(null)).limiter();
        ApplicationRuntime runtime = new ApplicationRuntime(settings, ServerContext.withoutServlets(null));
        runtime.use(named);
        assertThat(runtime.limiter()).isSameAs(named);
        assertThatThrownBy(() -> runtime.use(null)).hasMessageContaining("already uses another one");
    }

    @Test
    void inMemoryNothingIsSharedAndNothingIsWarnedOf() {
        ApplicationRuntime runtime = new ApplicationRuntime(settings, ServerContext.ofServlets("", () -> {}));
        runtime.limiter().close();
        assertThat(log.taken()).isEmpty();
    }

    /**
     * Around every request, forwarded or asynchronous ones included: before all other filters, and
     * after them. By a servlet's name is after all by path.
     */
    @Test
    void filtersStandFirstAndLast() throws ServletException {
        start("other.parameter");
        assertThat(registered)
                .containsExactly(
                        "setAsyncSupported [true]",
                        "addMappingForUrlPatterns [[FORWARD, REQUEST, ASYNC], false, [/*]]",
                        "setAsyncSupported [true]",
                        "addMappingForServletNames [[FORWARD, REQUEST, ASYNC], true, [exports]]",
                        "setAsyncSupported [true]",
                        "addMappingForUrlPatterns [[FORWARD, REQUEST, ASYNC], true, [/*]]");
    }

    /** Open Liberty goes on with an application whose initializer has failed. */
    @Test
    void aServerThatGoesOnAfterAFailedStartRefusesEachRequest() throws Exception {
        assertThatThrownBy(() -> start("limiter.headers")).isInstanceOf(ServletException.class);
        assertThat(registered).contains("addMappingForUrlPatterns [[FORWARD, REQUEST, ASYNC], false, [/*]]");
        log.taken();
        List<Object> sent = new ArrayList<>();
        HttpServletResponse response = (HttpServletResponse) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {HttpServletResponse.class},
                (proxy, method, arguments) -> sent.add(List.of(method.getName(), arguments[0])));
        Listeners health = Listeners.withoutBeans();
        RunningCdi.with(Listeners.class, health, () -> first.init(null));
        assertThat(health.limitsHaveFailed()).isTrue();
        first.doFilter(null, response, (request, answer) -> {
            throw new AssertionError("reached");
        });
        assertThat(sent).containsExactly(List.of("sendError", 500));
        assertThat(log.taken())
                .hasSize(1)
                .allMatch(line -> line.startsWith("SEVERE Requests fail, and limits could not be put in force"));
    }

    /** As where limiter-redis is of another version than limiter-api. */
    static Stream<Error> lacking() {
        return Stream.of(
                new NoClassDefFoundError("dev/limiter/spi/Gone"),
                new ServiceConfigurationError("dev.limiter.spi.RateLimiterProvider: Provider cannot be made"));
    }

    @ParameterizedTest
    @MethodSource("lacking")
    void aClassThatCannotBeLoadedIsRefusedLikeAMistake(Error lacking) {
        AtomicReference<Error> failure = new AtomicReference<>();
        ApplicationRuntime runtime = runtime(failing(failure));
        failure.set(lacking);
        assertThatExceptionOfType(ServletException.class)
                .isThrownBy(() -> start("other.parameter", runtime))
                .withCause(lacking);
        assertThat(registered)
                .containsExactly(
                        "setAsyncSupported [true]",
                        "addMappingForUrlPatterns [[FORWARD, REQUEST, ASYNC], false, [/*]]");
        assertThat(log.taken()).containsExactly("SEVERE Limits cannot be put in force: " + lacking.getMessage());
    }

    @ParameterizedTest
    @MethodSource("lacking")
    void soIsOneThatIsOnlyNeededLater(Error lacking) throws ServletException {
        AtomicReference<Error> failure = new AtomicReference<>();
        start("other.parameter", runtime(failing(failure)));
        failure.set(lacking);
        assertThatThrownBy(() -> listener.contextInitialized(null)).isSameAs(lacking);
        assertThat(log.taken()).containsExactly("SEVERE Limits cannot be put in force: " + lacking.getMessage());
    }

    private Settings failing(AtomicReference<Error> lacking) {
        return name -> {
            if (lacking.get() != null) {
                throw lacking.get();
            }
            return settings.value(name);
        };
    }

    /**
     * An application without limited servlets may still name its limiter, when Jakarta REST
     * starts.
     */
    @Test
    void theLimiterIsMadeAtTheStartOnlyWhereAServletNeedsIt() throws ServletException {
        RateLimiter another = new ApplicationRuntime(settings, ServerContext.withoutServlets(null)).limiter();
        ApplicationRuntime unlimited = runtime(settings);
        start("other.parameter", unlimited, Shop.class);
        listener.contextInitialized(null);
        assertThatCode(() -> unlimited.use(another)).doesNotThrowAnyException();
        ApplicationRuntime limited = runtime(settings);
        start("other.parameter", limited);
        listener.contextInitialized(null);
        assertThatThrownBy(() -> limited.use(another)).hasMessageContaining("already uses another one");
    }

    /** WildFly starts filters with the first request, so this is the last that can refuse. */
    @Test
    void whatCannotBeMadeForServletsFailsTheStart() throws ServletException {
        start("other.parameter", new ApplicationRuntime(settings, ServerContext.withoutServlets(null)));
        Listeners health = Listeners.withoutBeans();
        assertThatExceptionOfType(RateLimitDeploymentException.class)
                .isThrownBy(() -> RunningCdi.with(Listeners.class, health, () -> listener.contextInitialized(null)))
                .withMessageContaining("provide a CDI bean of type dev.limiter.jaxrs.PeerAddress");
        assertThat(health.limitsHaveFailed()).isTrue();
        assertThat(log.taken()).hasSize(1).allMatch(line -> line.startsWith("SEVERE Limits cannot be put in force"));
    }

    /** Before filters start, which WildFly does with the first request. */
    @Test
    void theLimitsOfServletsAreChecked() {
        assertThatExceptionOfType(RateLimitDeploymentException.class)
                .isThrownBy(() -> check(Set.of(Pathless.class)))
                .withMessage(
                        "@RateLimited.key on Pathless: no path parameter \"show\" in the path of a servlet; there is none");
        ApplicationRuntime runtime = new ApplicationRuntime(settings, ServerContext.withoutServlets(null));
        assertThat(runtime.validator().check(Set.of(Export.class, Shop.class), Set.of()))
                .containsExactly(Export.class);
    }

    private static Object shown(Object argument) {
        return argument instanceof Object[] array ? List.of(array) : argument;
    }

    /** As a servlet container does, with a context parameter. */
    private void start(String parameter) throws ServletException {
        start(parameter, runtime(settings));
    }

    private static ApplicationRuntime runtime(Settings settings) {
        return new ApplicationRuntime(settings, ServerContext.ofServlets("", () -> {}));
    }

    private void start(String parameter, ApplicationRuntime runtime) throws ServletException {
        start(parameter, runtime, Shop.class, Export.class);
    }

    private void start(String parameter, ApplicationRuntime runtime, Class<?>... classes) throws ServletException {
        FilterRegistration.Dynamic filter = (FilterRegistration.Dynamic) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {FilterRegistration.Dynamic.class},
                (proxy, method, arguments) -> {
                    registered.add(method.getName()
                            + ' '
                            + Stream.of(arguments)
                                    .map(ApplicationStartTest::shown)
                                    .toList());
                    return null;
                });
        ServletRegistration exports = (ServletRegistration) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ServletRegistration.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getName" -> "exports";
                    case "getMappings" -> List.of("/exports");
                    case "getInitParameter" -> null;
                    default -> Export.class.getName();
                });
        Map<String, Object> attributes = new HashMap<>(Map.of("dev.limiter.runtime", runtime));
        application = (ServletContext) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ServletContext.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "getAttribute":
                            return attributes.get(arguments[0]);
                        case "setAttribute":
                            return attributes.put((String) arguments[0], arguments[1]);
                        case "getInitParameterNames":
                            return Collections.enumeration(Set.of(parameter));
                        case "addFilter":
                            first = first == null ? (Filter) arguments[1] : first;
                            return filter;
                        case "getContextPath":
                            return "";
                        case "getResource":
                            return null;
                        case "getClassLoader":
                            return loader;
                        case "getServletRegistrations":
                            return Map.of("exports", exports);
                        case "addListener":
                            listener = (ServletContextListener) arguments[0];
                            return null;
                        default:
                            throw new AssertionError(method);
                    }
                });
        new ServletInitializer().onStartup(Set.of(classes), application);
    }

    private ApplicationRuntime check(Set<Class<?>> classes) {
        ApplicationRuntime runtime = new ApplicationRuntime(settings, ServerContext.withoutServlets(null));
        runtime.validator().check(classes, Set.of());
        return runtime;
    }
}
