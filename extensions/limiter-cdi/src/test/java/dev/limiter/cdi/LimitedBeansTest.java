package dev.limiter.cdi;

import static dev.limiter.Algorithm.CONCURRENCY;
import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.LEAKY_BUCKET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.limiter.OnStoreFailure;
import dev.limiter.RateLimitExceededException;
import dev.limiter.RateLimitExempt;
import dev.limiter.RateLimited;
import dev.limiter.StoreUnavailableException;
import dev.limiter.Tier;
import dev.limiter.jaxrs.KeyResolver;
import dev.limiter.jaxrs.LogLines;
import dev.limiter.jaxrs.QuotaSource;
import dev.limiter.jaxrs.RateLimits;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.context.SessionScoped;
import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.io.Serializable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The limits of beans in force: a service, a job, a listener, whatever declares them. */
class LimitedBeansTest {

    private static void assertRejected(String policy, ThrowingCallable call) {
        assertThatExceptionOfType(RateLimitExceededException.class)
                .isThrownBy(call)
                .withMessageContaining("rate limit reached: " + policy + ";");
    }

    @ApplicationScoped
    static class Mail {
        @RateLimited(
                name = "mail",
                key = "{user|'nobody'}/{param:to|'none'}",
                algorithm = FIXED_WINDOW,
                limit = 2,
                window = "1h")
        public String send(String text, String to) {
            return "sent";
        }

        public String send(String text) {
            return "sent to all";
        }

        public String sendTwice(String to) {
            send("1", to);
            return send("2", to);
        }
    }

    @Test
    void thirdCallOfAWindowIsRejectedAndTheNextWindowAdmits() {
        try (Beans beans = new Beans(Mail.class)) {
            Mail mail = beans.get(Mail.class);
            assertThat(mail.send("a", "ann")).isEqualTo("sent");
            assertThat(mail.send("b", "ann")).isEqualTo("sent");
            assertRejected("mail", () -> mail.send("c", "ann"));
            assertThat(mail.send("d", "bob")).isEqualTo("sent");
            beans.passes(Duration.ofHours(1));
            assertThat(mail.send("e", "ann")).isEqualTo("sent");
        }
    }

    @Test
    void exceptionSaysWhenToComeBack() {
        try (Beans beans = new Beans(Mail.class)) {
            Mail mail = beans.get(Mail.class);
            mail.send("a", "ann");
            mail.send("b", "ann");
            assertThatThrownBy(() -> mail.send("c", "ann"))
                    .isInstanceOfSatisfying(RateLimitExceededException.class, rejected -> {
                        assertThat(rejected.rejection().retryAfter()).isPositive();
                        assertThat(rejected.retryAfterSeconds()).isBetween(1L, 3600L);
                    });
        }
    }

    /** Nulls and empty texts are one partition, by the literal at the end. */
    @Test
    void missingParametersAreCountedTogether() {
        try (Beans beans = new Beans(Mail.class)) {
            Mail mail = beans.get(Mail.class);
            mail.send("a", null);
            mail.send("b", "");
            assertRejected("mail", () -> mail.send("c", null));
        }
    }

    @Test
    void overloadWithoutALimitIsNotLimited() {
        try (Beans beans = new Beans(Mail.class)) {
            for (int i = 0; i < 5; i++) {
                assertThat(beans.get(Mail.class).send("a")).isEqualTo("sent to all");
            }
        }
    }

    /** As the guide says: CDI sees only calls from outside of the bean. */
    @Test
    void callsOfABeanToItselfAreNotSeen() {
        try (Beans beans = new Beans(Mail.class)) {
            Mail mail = beans.get(Mail.class);
            for (int i = 0; i < 5; i++) {
                assertThat(mail.sendTwice("ann")).isEqualTo("sent");
            }
            assertThat(mail.send("a", "ann")).isEqualTo("sent");
        }
    }

    @RequestScoped
    static class Session implements Principal {
        private String name = "";

        void login(String as) {
            name = as;
        }

        @Override
        public String getName() {
            return name;
        }
    }

    @Test
    void usersHaveQuotasOfTheirOwnAndAllOthersShareOne() {
        try (Beans beans = new Beans(Mail.class, Session.class)) {
            Mail mail = beans.get(Mail.class);
            mail.send("a", "x");
            mail.send("b", "x");
            RequestContextController request = beans.get(RequestContextController.class);
            for (String user : List.of("ann", "bob")) {
                request.activate();
                beans.get(Session.class).login(user);
                mail.send("a", "x");
                mail.send("b", "x");
                assertRejected("mail", () -> mail.send("c", "x"));
                request.deactivate();
            }
            assertRejected("mail", () -> mail.send("c", "x"));
            request.activate();
            assertRejected("mail", () -> mail.send("c", "x"));
            request.deactivate();
        }
    }

    /** A job, of a scheduler that knows nothing of limits. */
    @Singleton
    static class Job {
        final List<String> ran = new ArrayList<>();

        @RateLimited(name = "job", key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public void run() {
            ran.add("run");
        }
    }

    @Test
    void jobRunsOnceInItsWindow() {
        try (Beans beans = new Beans(Job.class)) {
            Job job = beans.get(Job.class);
            job.run();
            assertRejected("job", job::run);
            assertRejected("job", job::run);
            assertThat(job.ran).containsExactly("run");
        }
    }

    @ApplicationScoped
    static class Listener {
        static final List<String> HEARD = new ArrayList<>();

        @RateLimited(
                name = "listener",
                key = "{param:message|'none'}",
                algorithm = FIXED_WINDOW,
                limit = 1,
                window = "1h")
        void hears(@Observes String message) {
            HEARD.add(message);
        }
    }

    @Test
    void observerHearsOneMessageOfAKind() {
        Listener.HEARD.clear();
        try (Beans beans = new Beans(Listener.class)) {
            beans.fire("a");
            beans.fire("b");
            assertRejected("listener", () -> beans.fire("a"));
            assertThat(Listener.HEARD).containsExactly("a", "b");
        }
    }

    @Dependent
    abstract static class Base<T> {
        public T inherited(T value) {
            return value;
        }

        String ofPackage() {
            return "p";
        }
    }

    @RateLimited(name = "whole", key = "'all'", algorithm = FIXED_WINDOW, limit = 4, window = "1h")
    @Singleton
    static class Whole extends Base<String> {
        public String own() {
            return helper() + isNoted();
        }

        protected String guarded() {
            return "g";
        }

        @RateLimitExempt
        public String spared() {
            return "s";
        }

        private String helper() {
            return "h";
        }

        private static String isNoted() {
            return "";
        }

        @Override
        public String toString() {
            return "whole";
        }
    }

    @Test
    void limitOfAClassCountsAllOfItsMethodsAndThoseItInherits() {
        try (Beans beans = new Beans(Whole.class)) {
            Whole whole = beans.get(Whole.class);
            for (int i = 0; i < 5; i++) {
                assertThat(whole.spared()).isEqualTo("s");
                assertThat(whole).hasToString("whole");
            }
            whole.own();
            whole.guarded();
            whole.ofPackage();
            whole.inherited("x");
            assertRejected("whole", whole::own);
            assertRejected("whole", whole::guarded);
            assertRejected("whole", whole::ofPackage);
            assertRejected("whole", () -> whole.inherited("x"));
            assertThat(whole.spared()).isEqualTo("s");
        }
    }

    /** CDI writes it to disk together with the interceptor. */
    @RateLimited(name = "session", key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
    @SessionScoped
    static class OfSession implements Serializable {
        private static final long serialVersionUID = 1L;

        public void work() {}
    }

    @Test
    void beanOfASessionMayHaveLimits() {
        try (Beans beans = new Beans(OfSession.class)) {
            assertThat(beans.get(OfSession.class)).isNotNull();
        }
    }

    interface Handler<T> {
        @RateLimited(name = "handler", key = "'all'", algorithm = FIXED_WINDOW, limit = 2, window = "1h")
        String handle(T message);

        @RateLimited(name = "later", key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        default String later(T message) {
            return handle(message);
        }
    }

    @Dependent
    static class MailHandler implements Handler<String> {
        @Override
        public String handle(String message) {
            return message;
        }

        @Override
        public String later(String message) {
            return message;
        }
    }

    /** The compiler writes a second method, whose parameter is an Object. */
    @Test
    void limitOfAGenericInterfaceCountsEachCallOnce() {
        try (Beans beans = new Beans(MailHandler.class)) {
            Handler<String> handler = beans.get(MailHandler.class);
            handler.handle("a");
            beans.get(MailHandler.class).handle("b");
            assertRejected("handler", () -> handler.handle("c"));
            handler.later("a");
            assertRejected("later", () -> handler.later("b"));
        }
    }

    @RateLimited(name = "guarded", key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
    @Retention(RetentionPolicy.RUNTIME)
    @interface Guarded {}

    @ApplicationScoped
    static class Composed {
        @Guarded
        public void work() {}
    }

    @Test
    void annotationThatCarriesALimitStandsForIt() {
        try (Beans beans = new Beans(Composed.class)) {
            beans.get(Composed.class).work();
            assertRejected("guarded", () -> beans.get(Composed.class).work());
        }
    }

    @ApplicationScoped
    static class First {
        @Inject
        Second second;

        @RateLimited(name = "shared", key = "'all'", algorithm = FIXED_WINDOW, limit = 3, window = "1h")
        public void work() {
            second.work();
        }
    }

    @ApplicationScoped
    static class Second {
        @RateLimited(name = "shared", key = "'all'", algorithm = FIXED_WINDOW, limit = 3, window = "1h")
        public void work() {}
    }

    /** One name is one bucket, and a call within a call is one, too. */
    @Test
    void beansShareALimitByItsNameAndEachCallCounts() {
        try (Beans beans = new Beans(First.class, Second.class)) {
            beans.get(First.class).work();
            beans.get(Second.class).work();
            assertRejected("shared", () -> beans.get(Second.class).work());
            assertRejected("shared", () -> beans.get(First.class).work());
        }
    }

    @ApplicationScoped
    static class Tenants {
        @RateLimited(name = "tenant", key = "{bean:tenant|'none'}", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public void work(String to) {}

        @RateLimited(
                name = "tiered",
                key = "'all'",
                algorithm = FIXED_WINDOW,
                limit = 1,
                window = "1h",
                tier = "{bean:tier}",
                tiers = @Tier(name = "gold", limit = 2))
        public void tiered(String tier) {}

        @RateLimited(
                name = "contract",
                key = "{param:of|'none'}",
                algorithm = FIXED_WINDOW,
                limit = 1,
                window = "1h",
                quota = "{bean:contracts}")
        public void contract(String of) {}

        @RateLimited(
                name = "priced",
                key = "'all'",
                algorithm = FIXED_WINDOW,
                limit = 10,
                window = "1h",
                cost = "{param:size|'1'}")
        public void priced(int size) {}
    }

    @Named("tenant")
    @ApplicationScoped
    static class Tenant implements KeyResolver {
        @Override
        public String key(dev.limiter.jaxrs.LimitedRequest call) {
            return call.endpoint().contains("work(java.lang.String)") ? "of " + call.parameter("to") : "wrong";
        }
    }

    @Named("tier")
    @ApplicationScoped
    static class TierOf implements KeyResolver {
        @Override
        public String key(dev.limiter.jaxrs.LimitedRequest call) {
            return (String) call.parameter("tier");
        }
    }

    @Named("contracts")
    @ApplicationScoped
    static class Contracts implements QuotaSource {
        @Override
        public Quota of(Partition partition) {
            return "big".equals(partition.value("param:of")) ? Quota.of(3) : null;
        }
    }

    @Test
    void namedBeanMakesTheKeyOfACall() {
        try (Beans beans = new Beans(Tenants.class, Tenant.class, TierOf.class, Contracts.class)) {
            Tenants tenants = beans.get(Tenants.class);
            tenants.work("a");
            tenants.work("b");
            assertRejected("tenant", () -> tenants.work("a"));
        }
    }

    @Test
    void callerOfATierHasItsNumbers() {
        try (Beans beans = new Beans(Tenants.class, Tenant.class, TierOf.class, Contracts.class)) {
            Tenants tenants = beans.get(Tenants.class);
            tenants.tiered("none");
            assertRejected("tiered", () -> tenants.tiered("none"));
            tenants.tiered("gold");
            assertRejected("tiered", () -> tenants.tiered("gold"));
        }
    }

    @Test
    void partitionWithAContractHasItsQuota() {
        try (Beans beans = new Beans(Tenants.class, Tenant.class, TierOf.class, Contracts.class)) {
            Tenants tenants = beans.get(Tenants.class);
            for (int i = 0; i < 3; i++) {
                tenants.contract("big");
            }
            assertRejected("contract", () -> tenants.contract("big"));
            tenants.contract("small");
            assertRejected("contract", () -> tenants.contract("small"));
        }
    }

    @Test
    void parameterMayBeTheCost() {
        try (Beans beans = new Beans(Tenants.class, Tenant.class, TierOf.class, Contracts.class)) {
            Tenants tenants = beans.get(Tenants.class);
            tenants.priced(7);
            assertRejected("priced", () -> tenants.priced(4));
            tenants.priced(3);
        }
    }

    @ApplicationScoped
    static class Model {
        @Inject
        RateLimits limits;

        @RateLimited(
                name = "tokens",
                key = "{param:who|'none'}",
                algorithm = FIXED_WINDOW,
                limit = 100,
                window = "1h",
                cost = "0")
        public long ask(String who, long estimate, long used) {
            limits.reserve("tokens", estimate);
            limits.settle("tokens", used);
            return limits.remaining("tokens");
        }
    }

    @Test
    void methodReservesAndSettlesTheUnitsOfItsCall() {
        try (Beans beans = new Beans(Model.class)) {
            Model model = beans.get(Model.class);
            assertThat(model.ask("ann", 60, 20)).isEqualTo(80);
            assertThat(model.ask("bob", 100, 90)).isEqualTo(10);
            assertRejected("tokens", () -> model.ask("ann", 81, 0));
            assertThat(model.ask("ann", 80, 80)).isZero();
        }
    }

    @ApplicationScoped
    static class Printer {
        private int depth;

        @RateLimited(name = "printer", key = "'all'", algorithm = CONCURRENCY, limit = 2)
        public void print(Runnable page) {
            depth++;
            try {
                page.run();
            } finally {
                depth--;
            }
        }
    }

    @Test
    void callsInFlightAreThoseThatHaveNotReturned() {
        try (Beans beans = new Beans(Printer.class)) {
            Printer printer = beans.get(Printer.class);
            printer.print(() -> printer.print(() -> assertRejected("printer", () -> printer.print(() -> {}))));
            printer.print(() -> printer.print(() -> {}));
        }
    }

    @Test
    void callThatThrowsIsInFlightNoMore() {
        try (Beans beans = new Beans(Printer.class)) {
            Printer printer = beans.get(Printer.class);
            for (int i = 0; i < 5; i++) {
                assertThatThrownBy(() -> printer.print(() -> {
                            throw new IllegalArgumentException("no paper");
                        }))
                        .hasMessage("no paper");
            }
        }
    }

    @ApplicationScoped
    static class Fails {
        @RateLimited(name = "fails", key = "'all'", algorithm = FIXED_WINDOW, limit = 2, window = "1h")
        public void work() {
            throw new IllegalArgumentException("failed");
        }
    }

    @Test
    void callThatThrowsCounts() {
        try (Beans beans = new Beans(Fails.class)) {
            Fails fails = beans.get(Fails.class);
            assertThatThrownBy(fails::work).hasMessage("failed");
            assertThatThrownBy(fails::work).hasMessage("failed");
            assertRejected("fails", fails::work);
        }
    }

    @ApplicationScoped
    static class Queue {
        @RateLimited(
                name = "queue",
                key = "'all'",
                algorithm = LEAKY_BUCKET,
                limit = 20,
                window = "1s",
                maxWait = "50ms")
        public void work() {}
    }

    /** The clock stands, so the second call waits 50 ms of the present thread, never less. */
    @Test
    void callWaitsForItsSlotAndOneThatWouldWaitLongerIsRejected() {
        try (Beans beans = new Beans(Queue.class)) {
            Queue queue = beans.get(Queue.class);
            queue.work();
            long before = System.nanoTime();
            queue.work();
            assertThat(System.nanoTime() - before)
                    .isGreaterThanOrEqualTo(Duration.ofMillis(50).toNanos());
            assertRejected("queue", queue::work);
            beans.passes(Duration.ofMillis(50));
            queue.work();
        }
    }

    @ApplicationScoped
    static class Closed {
        @RateLimited(
                name = "closed",
                key = "'all'",
                algorithm = FIXED_WINDOW,
                limit = 1,
                window = "1h",
                onStoreFailure = OnStoreFailure.CLOSED)
        public void work() {}
    }

    @Test
    void callIsRefusedWhileTheStoreOfAClosedLimitIsAway() {
        try (Beans beans = new Beans(Closed.class)) {
            Closed closed = beans.get(Closed.class);
            beans.storeFails(true);
            assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(closed::work);
            beans.storeFails(false);
            closed.work();
        }
    }

    @Test
    void planOfABeanIsLogged() {
        try (LogLines log = new LogLines("dev.limiter.plan");
                Beans beans = new Beans(Mail.class)) {
            assertThat(log.taken())
                    .anySatisfy(line -> assertThat(line)
                            .contains("Rate limits in force on " + Mail.class.getName())
                            .containsPattern(
                                    "send +mail +\\{user\\|'nobody'}/\\{param:to\\|'none'} +FIXED_WINDOW +2 +1h"));
            assertThat(beans.get(dev.limiter.jaxrs.DeployedLimits.class).policyNames())
                    .containsExactly("mail");
        }
    }

    /** CDI calls it itself, so a limit of the class does not count it. */
    @RateLimited(name = "made", key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
    @ApplicationScoped
    static class Made {
        private String state = "";

        @PostConstruct
        void begin() {
            state = "made";
        }

        public String work() {
            return state;
        }
    }

    @Test
    void limitOfAClassLeavesAloneWhatCdiCallsItself() {
        try (Beans beans = new Beans(Made.class)) {
            assertThat(beans.get(Made.class).work()).isEqualTo("made");
            assertRejected("made", () -> beans.get(Made.class).work());
        }
    }
}
