package dev.limiter.jaxrs.internal.declaration;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.limiter.Enforcement;
import dev.limiter.Policy;
import dev.limiter.RateLimitExempt;
import dev.limiter.RateLimited;
import dev.limiter.Stage;
import dev.limiter.jaxrs.Endpoint;
import dev.limiter.jaxrs.LogLines;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which endpoints there are, which of them limits protect, and what becomes of the others. */
class DeployedEndpointsTest {
    private final MapSettings settings = new MapSettings();
    private final LogLines log = new LogLines("dev.limiter.plan");

    @AfterEach
    void closeLog() {
        log.close();
    }

    @RateLimited(name = "composed", key = "{ip}", algorithm = GCRA, limit = 5, window = "1s")
    @Retention(RetentionPolicy.RUNTIME)
    @interface Protected {}

    @RateLimitExempt
    @Retention(RetentionPolicy.RUNTIME)
    @interface OnPurpose {}

    @Path("/shop/")
    static class Shop {
        @GET
        @Protected
        public void limited() {}

        @POST
        @OnPurpose
        public void exempt() {}

        @PUT
        @RateLimited(
                name = "soft",
                key = "{ip}",
                algorithm = FIXED_WINDOW,
                limit = 5,
                window = "1s",
                enforcement = Enforcement.SOFT)
        @RateLimited(
                name = "trial",
                key = "'all'",
                algorithm = GCRA,
                limit = 5,
                window = "1s",
                enforcement = Enforcement.SHADOW)
        public void countedOnly() {}

        @DELETE
        @Path("{id}")
        public void unlimited() {}
    }

    @Path("forgotten")
    static class Forgotten {
        @GET
        public void get() {}
    }

    @Path("by-interface")
    interface Contract {
        @GET
        void get();
    }

    static class Implementing implements Contract {
        @Override
        public void get() {}
    }

    @Path("tree")
    static class Tree {
        @Path("node")
        public Node node() {
            return new Node();
        }

        @Path("contract")
        public Contract contract() {
            return new Implementing();
        }

        @Path("object")
        public Object object() {
            return new Object();
        }
    }

    static class Node {
        @GET
        public void get() {}

        @Path("left")
        public Node left() {
            return this;
        }

        @Path("twin")
        public Twin twin() {
            return new Twin();
        }
    }

    static class Twin {
        @GET
        @Protected
        public void get() {}

        @Path("back")
        public Node back() {
            return new Node();
        }
    }

    static class Knot extends Node {
        @POST
        public void more() {}
    }

    /** Classes that all lead to one another: by 109,601 paths. */
    abstract static class Web {
        @Path("a")
        public A a() {
            return null;
        }

        @Path("b")
        public B b() {
            return null;
        }

        @Path("c")
        public C c() {
            return null;
        }

        @Path("d")
        public D d() {
            return null;
        }

        @Path("e")
        public E e() {
            return null;
        }

        @Path("f")
        public F f() {
            return null;
        }

        @Path("g")
        public G g() {
            return null;
        }

        @Path("h")
        public H h() {
            return null;
        }

        @GET
        @Protected
        public void get() {}
    }

    static class A extends Web {}

    static class B extends Web {}

    static class C extends Web {}

    static class D extends Web {}

    static class E extends Web {}

    static class F extends Web {}

    static class G extends Web {}

    static class H extends Web {}

    @Path("web")
    static class WebRoot extends Web {}

    @Path("leading")
    static class Leading {
        @Path("node")
        public Node node() {
            return new Node();
        }

        @GET
        @Protected
        public void get() {}
    }

    @RateLimited(
            name = "flood",
            key = "{ip}",
            algorithm = GCRA,
            limit = 5,
            window = "1s",
            stage = Stage.BEFORE_MATCHING)
    static class Flooded extends Application {}

    @RateLimitExempt
    static class Internal extends Application {}

    static class Plain extends Application {}

    static class Listing extends Application {
        @Override
        public Set<Class<?>> getClasses() {
            return Set.of(Forgotten.class);
        }
    }

    @Test
    void eachEndpointHasPathHandlerAndLimits() {
        assertThat(listed(Plain.class, "/api/", Shop.class))
                .containsExactly(
                        "LIMITED GET /api/shop (Shop.limited) [composed]",
                        "EXEMPT POST /api/shop (Shop.exempt) []",
                        "NOT_REJECTING PUT /api/shop (Shop.countedOnly) [soft, trial]",
                        "UNLIMITED DELETE /api/shop/{id} (Shop.unlimited) []");
    }

    /** An operator who switches limits off must not find that a restart is refused. */
    @ParameterizedTest
    @CsvSource({
        "limiter.enabled, false",
        "limiter.policy.composed.enabled, false",
        "limiter.policy.composed.enforcement, shadow"
    })
    void whatConfigurationSwitchesOffDoesNotReject(String name, String value) {
        settings.with(name, value).with("limiter.require-limits", "fail");
        assertThat(listed(Plain.class, "", Twin.class, OnlyProtected.class))
                .containsExactly("NOT_REJECTING GET /protected (OnlyProtected.get) [composed]");
    }

    @Path("protected")
    static class OnlyProtected {
        @GET
        @Protected
        public void get() {}
    }

    @Test
    void aLimitOfTheApplicationCountsAlsoBeforeMatchingAndForLocators() {
        assertThat(listed(Flooded.class, "", Forgotten.class, Tree.class))
                .allMatch(line -> line.startsWith("LIMITED ") && line.contains("[flood"))
                .contains("LIMITED /tree/object (Tree.object) [flood]");
    }

    @Test
    void anExemptApplicationHasNoLimitsOnPurpose() {
        assertThat(listed(Internal.class, "", Forgotten.class, Tree.class))
                .contains(
                        "EXEMPT GET /forgotten (Forgotten.get) []",
                        "EXEMPT /tree/object (Tree.object) []",
                        "LIMITED GET /tree/node/twin (Twin.get) [composed]");
    }

    /** Of an interface the class that implements it may have the limits. */
    @Test
    void locatorsAreFollowedAndEndWhereTheyBegan() {
        assertThat(listed(Plain.class, "", Tree.class))
                .containsExactly(
                        "UNKNOWN GET /tree/contract (Contract.get, locator, class not known at deployment) []",
                        "UNLIMITED GET /tree/node (Node.get) []",
                        "LIMITED GET /tree/node/twin (Twin.get) [composed]",
                        "UNKNOWN /tree/object (Tree.object, locator, class not known at deployment) []");
    }

    /** Each class is judged, also where not all paths to it are listed. */
    @Test
    void aWebOfLocatorsIsNotRefusedForItsPaths() {
        settings.with("limiter.require-limits", "fail");
        assertThat(started(Plain.class, "", WebRoot.class).all())
                .hasSizeBetween(5_000, 20_000)
                .allMatch(each -> each.coverage() == Endpoint.Coverage.LIMITED);
    }

    @Test
    void theTableEndsWithWhatNoLimitProtects() {
        Plans plans = plans(Plain.class, Shop.class, Tree.class);
        plans.readAll();
        List<String> lines = log.taken();
        assertThat(lines.get(lines.size() - 1))
                .isEqualTo("INFO 2 of 8 endpoints of Plain have no limit: DELETE /shop/{id} (Shop.unlimited), GET"
                        + " /tree/node (Node.get)\n"
                        + "  1 exempt: POST /shop (Shop.exempt)\n"
                        + "  1 on trial, soft or switched off alone: PUT /shop (Shop.countedOnly)\n"
                        + "  2 not known: GET /tree/contract (Contract.get, locator, class not known at"
                        + " deployment), /tree/object (Tree.object, locator, class not known at deployment)");
        assertThat(lines).allMatch(line -> line.startsWith("INFO"));
    }

    @Test
    void whereAllHaveLimitsItSaysSo() {
        plans(Plain.class, OnlyProtected.class).readAll();
        assertThat(log.taken()).endsWith("INFO 0 of 1 endpoints of Plain have no limit");
    }

    @Test
    void aWarningNamesThemInOneLine() {
        settings.with("limiter.require-limits", "warn");
        plans(Plain.class, Shop.class, Forgotten.class).readAll();
        assertThat(log.taken())
                .endsWith("WARNING LIM17 2 of 5 endpoints of Plain have neither a limit nor @RateLimitExempt: GET"
                        + " /forgotten (Forgotten.get), DELETE /shop/{id} (Shop.unlimited)");
        plans(Plain.class, OnlyProtected.class).readAll();
        assertThat(log.taken()).noneMatch(line -> line.contains("LIM17"));
    }

    @Test
    void aLongListIsCut() {
        List<Endpoint> many = Stream.iterate(10, i -> i + 1)
                .limit(37)
                .map(i -> new Endpoint("GET", "/" + i, "Many.get", Endpoint.Coverage.UNLIMITED, List.of()))
                .toList();
        assertThat(EndpointList.text("endpoints", many)).contains("GET /29 (").endsWith(" and 17 more");
        assertThat(EndpointList.text("endpoints", many.subList(0, 20))).endsWith("GET /29 (Many.get)");
        assertThatThrownBy(() -> EndpointList.check(many, RequireLimits.FAIL))
                .hasMessageStartingWith("limiter.require-limits: is \"fail\", and 37 of 37 endpoints have neither")
                .hasMessageEndingWith("GET /46 (Many.get) (paths of libraries: limiter.require-limits.exempt)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"list", "warn"})
    void onlyWhereLimitsAreRequiredAnApplicationIsRefused(String required) {
        settings.with("limiter.require-limits", required);
        assertThatCode(() -> started(Plain.class, "", Forgotten.class)).doesNotThrowAnyException();
    }

    @Test
    void oneErrorNamesAll() {
        settings.with("limiter.require-limits", " Fail ");
        assertThatExceptionOfType(RateLimitDeploymentException.class)
                .isThrownBy(() -> started(Plain.class, "api", Shop.class, Tree.class))
                .withMessage("limiter.require-limits: is \"fail\", and 4 of 8 endpoints have neither a limit nor"
                        + " @RateLimitExempt: DELETE /api/shop/{id} (Shop.unlimited), GET /api/tree/contract"
                        + " (Contract.get, locator, class not known at deployment), GET /api/tree/node"
                        + " (Node.get), /api/tree/object (Tree.object, locator, class not known at"
                        + " deployment) (paths of libraries: limiter.require-limits.exempt)");
    }

    @Test
    void aPathThatIsExemptNeedsNoLimitNorDoesWhatIsBelow() {
        settings.with("limiter.require-limits", "fail")
                .with("limiter.require-limits.exempt", "/api/tree, /api/shop/{id}");
        assertThat(listed(Plain.class, "api", Shop.class, Tree.class))
                .contains(
                        "EXEMPT DELETE /api/shop/{id} (Shop.unlimited) []",
                        "EXEMPT GET /api/tree/node (Node.get) []",
                        "EXEMPT /api/tree/object (Tree.object) []",
                        "LIMITED GET /api/shop (Shop.limited) [composed]");
        assertThatThrownBy(() -> started(Plain.class, "api", Forgotten.class)).hasMessageContaining("/api/forgotten");
        assertThatThrownBy(() -> started(Plain.class, "api/treetop", Forgotten.class))
                .hasMessageContaining("/api/treetop/forgotten");
    }

    @ParameterizedTest
    @ValueSource(strings = {"actuator", "/", "/actuator/*", "/a, b"})
    void aPathThatCannotBeOneIsRefused(String path) {
        settings.with("limiter.require-limits.exempt", path);
        assertThatThrownBy(() -> endpoints())
                .hasMessageStartingWith("limiter.require-limits.exempt: must be paths, each with all below it");
    }

    @Path("wrong")
    static class Wrong {
        @GET
        @RateLimited(key = "{usr}", algorithm = GCRA, limit = 5, window = "1s")
        public void get() {}
    }

    /** The error of the declaration says more. */
    @Test
    void aWrongLimitIsNotAMissingOne() {
        settings.with("limiter.require-limits", "fail");
        assertThatThrownBy(() -> plans(Plain.class, Wrong.class).readAll())
                .hasMessageContaining("unknown name \"usr\"");
    }

    @Test
    void aWrongValueHasAnAddress() {
        settings.with("limiter.require-limits", "yes");
        assertThatThrownBy(() -> endpoints())
                .hasMessage("limiter.require-limits: must be list, warn or fail, was \"yes\"");
    }

    /** Before anything starts, it is only certain what an application has that lists nothing. */
    @Test
    void whatIsCertainIsRefusedAtOnce() {
        settings.with("limiter.require-limits", "fail");
        Endpoint servlet = new Endpoint("", "/s", "Servlet", Endpoint.Coverage.UNLIMITED, List.of());
        assertThatThrownBy(() -> find(List.of(servlet), Plain.class, Forgotten.class))
                .hasMessageContaining("2 of 2 endpoints have neither a limit nor @RateLimitExempt: /s (Servlet), GET"
                        + " /Plain/forgotten (Forgotten.get)");
        assertThatThrownBy(() -> find(List.of(), Plain.class, Internal.class, Forgotten.class))
                .hasMessageContaining("1 of 2 endpoints has");
        assertThatCode(() -> find(List.of(), Listing.class, Forgotten.class)).doesNotThrowAnyException();
        assertThatCode(() -> find(List.of(), Flooded.class, Forgotten.class)).doesNotThrowAnyException();
        assertThatCode(() -> find(List.of(), Forgotten.class)).doesNotThrowAnyException();
        assertThatCode(() -> find(List.of(), Plain.class, Implementing.class)).doesNotThrowAnyException();
        assertThatCode(() -> endpoints()
                        .found(Set.of(Plain.class, Forgotten.class), application -> Optional.empty(), List.of()))
                .doesNotThrowAnyException();
    }

    @Test
    void anApplicationThatListsNothingHasAllThatTheServerFound() {
        DeployedEndpoints endpoints = endpoints();
        endpoints.found(Set.of(Forgotten.class, Node.class), application -> Optional.empty(), List.of());
        assertThat(texts(endpoints.started(Plain.class, "", null, List.of()).all()))
                .containsExactly("UNLIMITED GET /forgotten (Forgotten.get) []");
    }

    /** Otherwise an assertion could pass before the endpoints are there. */
    @Test
    void theListIsThereWhenAllApplicationsHaveStarted() {
        DeployedEndpoints endpoints = endpoints();
        assertThatThrownBy(endpoints::all)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the endpoints are not known yet: Jakarta REST has not started; on some servers the first"
                        + " request to it starts it");
        endpoints.found(Set.of(Plain.class, Listing.class), application -> Optional.of(""), List.of());
        endpoints.servlets(List.of());
        endpoints.started(Plain.class, "a", Set.of(), List.of());
        assertThatThrownBy(endpoints::all).hasMessageContaining("has not started " + Listing.class.getName());
        endpoints.started(new Listing() {}.getClass(), "b", Set.of(Forgotten.class), List.of());
        assertThat(texts(endpoints.all())).containsExactly("UNLIMITED GET /b/forgotten (Forgotten.get) []");
    }

    /** As two servlets that each have a {@code ResourceConfig} of their own. */
    @Test
    void twoApplicationsOfOneClassHaveTheirOwnEndpoints() {
        DeployedEndpoints endpoints = endpoints();
        endpoints.started(Plain.class, "", Set.of(Forgotten.class), List.of());
        endpoints.started(Plain.class, "", Set.of(Shop.class), List.of());
        List<Endpoint> both = endpoints.all();
        assertThat(both).map(Endpoint::path).contains("/forgotten", "/shop");
        endpoints.started(Plain.class, "", Set.of(Shop.class), List.of());
        assertThat(endpoints.all()).as("after a restart of one").isEqualTo(both);
    }

    /** It was let in, so the request is answered. */
    @Test
    void whatALocatorTurnsOutToReturnIsWarnedOf() throws NoSuchMethodException {
        settings.with("limiter.require-limits", "warn");
        DeployedEndpoints endpoints = endpoints();
        Plans plans = plans(endpoints, Plain.class, Leading.class);
        plans.readAll();
        log.taken();
        plans.of(Knot.class, Knot.class.getMethod("more"));
        plans.of(Knot.class, Knot.class.getMethod("left")); // a method that was not read
        assertThat(log.taken())
                .contains(
                        "WARNING LIM17 2 of 2 further endpoints of Plain have neither a limit nor @RateLimitExempt: GET"
                                + " (Knot.get), POST (Knot.more)")
                .hasSize(2);
        assertThat(texts(endpoints.all())).endsWith("UNLIMITED GET (Knot.get) []", "UNLIMITED POST (Knot.more) []");
        assertThat(endpoints.all()).doesNotHaveDuplicates();
    }

    @Path("open")
    static class Open {
        @Path("object")
        @RateLimitExempt
        public Object object() {
            return new Forgotten();
        }
    }

    @Test
    void alsoWhereLimitsAreRequired() throws NoSuchMethodException {
        settings.with("limiter.require-limits", "fail");
        Plans plans = plans(Plain.class, Open.class);
        plans.of(Node.class, Node.class.getMethod("get"));
        assertThat(log.taken()).anyMatch(line -> line.startsWith("WARNING LIM17 1 of 1 further endpoints"));
    }

    @Test
    void aClassThatNoLocatorReturnsIsRefusedWhenItIsShown() throws NoSuchMethodException {
        settings.with("limiter.require-limits", "fail");
        Plans plans = plans(Plain.class, OnlyProtected.class);
        for (int time = 0; time < 2; time++) {
            assertThatThrownBy(() -> plans.of(Forgotten.class, Forgotten.class.getMethod("get")))
                    .hasMessageContaining("1 of 1 endpoints has")
                    .hasMessageContaining("GET /forgotten (Forgotten.get)");
        }
        assertThatCode(() -> plans.of(Twin.class, Twin.class.getMethod("get"))).doesNotThrowAnyException();
    }

    interface Help {
        void get();
    }

    @Path("helped")
    static class HelpedRoot implements Help {
        @Override
        @GET
        @Protected
        public void get() {}

        public void help() {}
    }

    /** As a builder of resources lets a method answer; its path is not told. */
    @Test
    void aMethodWithoutAnnotationOfAListedClassIsRefusedWhenItIsShown() throws NoSuchMethodException {
        settings.with("limiter.require-limits", "fail");
        Plans plans = plans(Plain.class, HelpedRoot.class);
        plans.readAll();
        assertThatThrownBy(() -> plans.of(HelpedRoot.class, HelpedRoot.class.getMethod("help")))
                .hasMessageContaining("1 of 1 endpoints has")
                .hasMessageContaining(": (HelpedRoot.help)");
        assertThatCode(() -> plans.of(HelpedRoot.class, Help.class.getMethod("get")))
                .doesNotThrowAnyException();
    }

    @Test
    void aHandlerWithoutASimpleNameIsNamed() throws NoSuchMethodException {
        settings.with("limiter.require-limits", "fail");
        Plans plans = plans(Plain.class);
        Help handler = new Help() {
            @Override
            public void get() {}
        };
        assertThatThrownBy(() -> plans.of(handler.getClass(), handler.getClass().getMethod("get")))
                .hasMessageContaining(": (DeployedEndpointsTest$2.get)");
    }

    private List<String> listed(Class<?> application, String path, Class<?>... roots) {
        return texts(started(application, path, roots).all());
    }

    private static List<String> texts(Collection<Endpoint> endpoints) {
        return endpoints.stream()
                .map(each -> each.coverage() + " " + each + " " + each.limits())
                .toList();
    }

    private DeployedEndpoints endpoints() {
        return new DeployedEndpoints(settings, new PolicyRegistry(settings, Policy.DEFAULT_LEASE, System::nanoTime));
    }

    private ApplicationEndpoints started(Class<?> application, String path, Class<?>... roots) {
        return endpoints().started(application, path, List.of(roots), List.of());
    }

    /** As the initializer does; an application is at the path of its name. */
    private void find(List<Endpoint> servlets, Class<?>... classes) {
        endpoints().found(Set.of(classes), application -> Optional.of(application.getSimpleName()), servlets);
    }

    private Plans plans(Class<?> application, Class<?>... roots) {
        return plans(endpoints(), application, roots);
    }

    private Plans plans(DeployedEndpoints endpoints, Class<?> application, Class<?>... roots) {
        PolicyRegistry policies = new PolicyRegistry(settings, Policy.DEFAULT_LEASE, System::nanoTime);
        return new Plans(
                new PlanReader(policies, application), endpoints.started(application, "", List.of(roots), List.of()));
    }
}
