package dev.limiter.jaxrs.internal.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.NotAdmittedException;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimited;
import dev.limiter.Stage;
import dev.limiter.StoreUnavailableException;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.internal.request.RateLimitFilter;
import dev.limiter.jaxrs.internal.request.RequestState;
import dev.limiter.jaxrs.internal.servlet.ServletInitializer;
import dev.limiter.jaxrs.internal.servlet.ServletLifecycleFilter;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.GenericServlet;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How requests end around servlets: at once, later, by another thread, or never for the client.
 */
class ServletRequestsTest {
    private static final PartitionKey ALL = PartitionKey.of("literal", "all");

    private final ApplicationRuntime runtime =
            new ApplicationRuntime(new MapSettings(), ServerContext.ofServlets("", () -> {}));
    private final ServletLifecycleFilter filter = ServletInitializer.filter(runtime, Set.of());

    /** A servlet whose limits count failures, and what is in flight. */
    @RateLimited(name = "all", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 3, window = "1h")
    @RateLimited(
            name = "failures",
            key = "'all'",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 100,
            window = "1h",
            countOn = "5xx")
    @RateLimited(
            name = "refusals",
            key = "'all'",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 100,
            window = "1h",
            countOn = "404")
    @RateLimited(name = "flight", key = "'all'", algorithm = Algorithm.CONCURRENCY, limit = 100)
    static class Limited extends HttpServlet {
        private static final long serialVersionUID = 1L;
    }

    /** A servlet that answers each method itself. */
    @RateLimited(name = "served", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 3, window = "1h")
    static class Serving extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) {
            response.setStatus(200);
        }
    }

    /** Another servlet, whose limits are partly the same. */
    @RateLimited(name = "all", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 3, window = "1h")
    @RateLimited(name = "more", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 5, window = "1h")
    static class Wider extends HttpServlet {
        private static final long serialVersionUID = 1L;
    }

    /** A servlet that has a limit before authentication, and one after it. */
    @RateLimited(
            name = "early",
            key = "'all'",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 1,
            window = "1h",
            stage = Stage.BEFORE_AUTHENTICATION)
    @RateLimited(name = "late", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 3, window = "1h")
    static class Staged extends HttpServlet {
        private static final long serialVersionUID = 1L;
    }

    /** A servlet of another protocol, whose limit is warned of and not asked. */
    @RateLimited(name = "ignored", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 1, window = "1h")
    abstract static class Generic extends GenericServlet {
        private static final long serialVersionUID = 1L;
    }

    ServletRequestsTest() {
        Map<String, ServletRegistration> servlets = new HashMap<>();
        List.of(Limited.class, Wider.class, Serving.class, Staged.class, Generic.class)
                .forEach(type -> servlets.put(
                        type.getSimpleName().toLowerCase(Locale.ROOT),
                        answering(
                                ServletRegistration.class,
                                (method, arguments) -> method.equals("getMappings") ? List.of() : type.getName())));
        ServletContext application = answering(ServletContext.class, (method, arguments) -> switch (method) {
            case "getServletRegistrations" -> servlets;
            case "getClassLoader" -> getClass().getClassLoader();
            case "getAttribute" -> null;
            default -> throw new AssertionError(method);
        });
        filter.init(answering(FilterConfig.class, (method, arguments) -> application));
    }

    @AfterEach
    void close() {
        runtime.close();
        runtime.limiter().close();
    }

    /** A request with its response, as a container handles it. */
    private static final class Exchange {
        final Map<String, Object> attributes = new HashMap<>();
        final Map<String, List<String>> headers = new LinkedHashMap<>();
        final Map<String, String> sent = new HashMap<>();
        final ByteArrayOutputStream body = new ByteArrayOutputStream();
        final List<AsyncListener> listeners = new ArrayList<>();
        String verb = "GET";
        String servlet = "limited";
        DispatcherType dispatch = DispatcherType.REQUEST;
        int status = 200;
        boolean asynchronous;
        boolean complete;
        boolean committed;
        int length;
        ReadListener reader;

        final HttpServletRequest request = answering(HttpServletRequest.class, (method, arguments) -> switch (method) {
            case "getDispatcherType" -> dispatch;
            case "getMethod" -> verb;
            case "getContentType" -> null;
            case "getHeader" -> sent.get((String) arguments[0]);
            case "getHeaders" ->
                Collections.enumeration(
                        sent.containsKey((String) arguments[0]) ? List.of(sent.get((String) arguments[0])) : List.of());
            case "getRemoteAddr" -> "192.0.2.1";
            case "getAttribute" -> attributes.get((String) arguments[0]);
            case "setAttribute" -> attributes.put((String) arguments[0], arguments[1]);
            case "getHttpServletMapping" -> answering(HttpServletMapping.class, (asked, none) -> servlet);
            case "getInputStream" -> new Upload(this);
            case "getReader" -> new BufferedReader(new InputStreamReader(new Upload(this), StandardCharsets.UTF_8));
            case "getPart", "getParts", "getParameter", "getParameterValues", "getParameterMap", "getParameterNames" ->
                throw new IllegalStateException("the client sent half of it");
            case "isAsyncStarted" -> asynchronous;
            case "startAsync" -> {
                asynchronous = true;
                yield async();
            }
            case "getAsyncContext" -> async();
            default -> throw new AssertionError(method);
        });

        final HttpServletResponse response =
                answering(HttpServletResponse.class, (method, arguments) -> switch (method) {
                    case "getStatus" -> status;
                    case "setStatus" -> status = (int) arguments[0];
                    case "setHeader" -> headers.put((String) arguments[0], List.of((String) arguments[1]));
                    case "getHeaders" -> headers.getOrDefault((String) arguments[0], List.of());
                    case "setContentType" -> headers.put("Content-Type", List.of((String) arguments[0]));
                    case "setContentLength" -> length = (int) arguments[0];
                    case "isCommitted" -> committed;
                    case "reset" -> {
                        headers.clear();
                        status = 200;
                        yield null;
                    }
                    case "getOutputStream" -> new Body(body);
                    default -> throw new AssertionError(method);
                });

        /** A container has one context for all starts of a request. */
        final AsyncContext async = answering(AsyncContext.class, (method, arguments) -> switch (method) {
            case "addListener" -> listeners.add((AsyncListener) arguments[0]);
            case "dispatch" -> null;
            case "complete" -> complete = true;
            default -> throw new AssertionError(method);
        });

        AsyncContext async() {
            if (complete) {
                throw new IllegalStateException("complete");
            }
            return async;
        }

        /**
         * An asynchronous request starts once more: a container forgets its listeners, and tells
         * them.
         */
        void startAgain() throws IOException {
            List<AsyncListener> before = List.copyOf(listeners);
            listeners.clear();
            for (AsyncListener listener : before) {
                listener.onStartAsync(new AsyncEvent(async(), request, response));
            }
        }

        void timeOut() throws IOException {
            AsyncContext context = async();
            for (AsyncListener listener : listeners) {
                listener.onTimeout(new AsyncEvent(context, request, response));
            }
            if (!complete) {
                fail(null);
            }
        }

        void fail(Throwable why) throws IOException {
            AsyncContext context = async();
            for (AsyncListener listener : listeners) {
                listener.onError(new AsyncEvent(context, request, response, why));
            }
        }

        void complete(int with) throws IOException {
            status = with;
            complete = true;
            for (AsyncListener listener : listeners) {
                listener.onComplete(new AsyncEvent(null, request, response));
            }
        }
    }

    /** The body of a request, which the container reads when the client sends it. */
    private static final class Upload extends ServletInputStream {
        private final Exchange exchange;

        Upload(Exchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public boolean isFinished() {
            return false;
        }

        @Override
        public boolean isReady() {
            return false;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            exchange.reader = listener;
        }

        @Override
        public int read() {
            throw new IllegalStateException("the server has closed it");
        }
    }

    private static final class Body extends jakarta.servlet.ServletOutputStream {
        private final ByteArrayOutputStream written;

        Body(ByteArrayOutputStream written) {
            this.written = written;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(jakarta.servlet.WriteListener listener) {
            throw new AssertionError();
        }

        @Override
        public void write(int one) {
            written.write(one);
        }
    }

    /** A part of a container that has only the methods that this test calls. */
    private static <T> T answering(Class<T> type, BiFunction<String, Object[], Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, asked, arguments) -> {
                    Object answer = answers.apply(asked.getName(), arguments);
                    return asked.getReturnType() == void.class ? null : answer;
                }));
    }

    /** As a container does: the first filter, then the last one, then the servlet. */
    private void serve(Exchange exchange, FilterChain servlet) throws IOException, ServletException {
        Filter last = filter.last(Set.of());
        filter.doFilter(
                exchange.request, exchange.response, (request, response) -> last.doFilter(request, response, servlet));
    }

    private void serve(Exchange exchange, int status) throws IOException, ServletException {
        serve(exchange, (request, response) -> {
            assertSpent(1, 1, 1);
            exchange.status = status;
        });
    }

    @ParameterizedTest
    @CsvSource({"200, 0", "404, 0", "503, 1"})
    void theStatusDecidesWhatCounts(int status, int failures) throws Exception {
        serve(new Exchange(), status);
        assertSpent(1, failures, 0);
    }

    @Test
    void whatTheServletThrowsIsAFailureOfTheServer() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> serve(new Exchange(), (request, response) -> {
                    throw new IllegalStateException("a mistake");
                }));
        assertSpent(1, 1, 0);
    }

    /**
     * Jakarta REST had answered 200: the request counts as it was asked, and not as a failure of
     * the server.
     */
    @Test
    void aClientThatGoesAwayIsCharged() {
        Exchange exchange = new Exchange();
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> serve(exchange, (request, response) -> {
                    ((RequestState) exchange.attributes.get(RateLimitFilter.STATE)).respondsWith(200);
                    throw new IOException("gone");
                }));
        assertSpent(1, 1, 0);
        assertThat(spent("refusals")).as("nor by the status that it had").isEqualTo(1);
    }

    @Test
    void anAsynchronousRequestIsInFlightUntilItIsComplete() throws Exception {
        Exchange exchange = new Exchange();
        exchange.asynchronous = true;
        serve(exchange, 200);
        assertSpent(1, 1, 1);
        exchange.startAgain();
        exchange.startAgain();
        assertSpent(1, 1, 1);
        exchange.timeOut();
        assertSpent(1, 1, 1);
        exchange.complete(404);
        assertSpent(1, 0, 0);
    }

    /** Tomcat tells no listener if it cannot write the response any more. */
    @Test
    void oneThatTheServletCompletesIsOver() throws Exception {
        Exchange exchange = new Exchange();
        AsyncContext[] started = new AsyncContext[1];
        serve(exchange, (request, response) -> started[0] = request.startAsync());
        assertSpent(1, 1, 1);
        exchange.status = 404;
        started[0].complete();
        assertSpent(1, 0, 0);
        exchange.complete(503);
        assertThat(spent("refusals")).isEqualTo(1);
    }

    /**
     * The servlet hears of it, and answers 5xx, at once or later. An error of another kind is not
     * the client's.
     */
    @ParameterizedTest
    @CsvSource({"true, true, 0", "true, false, 0", "false, true, 1", "false, false, 1"})
    void anUploadThatBreaksOffIsNoFailureOfTheServer(boolean broken, boolean atOnce, int failures) throws Exception {
        Throwable cause = broken ? new IOException("reset") : new IllegalStateException("a mistake");
        List<Object> heard = new ArrayList<>();
        Exchange exchange = new Exchange();
        serve(exchange, (request, response) -> {
            AsyncContext started = request.startAsync();
            request.getInputStream().setReadListener(new ReadListener() {
                @Override
                public void onDataAvailable() {
                    heard.add("data");
                }

                @Override
                public void onAllDataRead() {
                    heard.add("end");
                }

                @Override
                public void onError(Throwable unread) {
                    heard.add(unread);
                    if (atOnce) {
                        exchange.status = 500;
                        started.complete();
                    }
                }
            });
        });
        exchange.reader.onDataAvailable();
        exchange.reader.onAllDataRead();
        exchange.reader.onError(cause);
        assertThat(heard).containsExactly("data", "end", cause);
        exchange.complete(500);
        assertSpent(1, failures, 0);
    }

    /** Servers throw what they like. */
    @ParameterizedTest
    @ValueSource(strings = {"parts", "part", "parameter", "values", "map", "names", "byte", "bytes", "text"})
    void anUploadThatCannotBeReadIsNoFailureOfTheServer(String what) {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> serve(new Exchange(), (request, response) -> {
                    HttpServletRequest http = (HttpServletRequest) request;
                    Object read = switch (what) {
                        case "parts" -> http.getParts();
                        case "part" -> http.getPart("file");
                        case "parameter" -> http.getParameter("name");
                        case "values" -> http.getParameterValues("name");
                        case "map" -> http.getParameterMap();
                        case "byte" -> http.getInputStream().read();
                        case "bytes" -> http.getInputStream().readAllBytes();
                        case "text" -> http.getReader().readLine();
                        default -> http.getParameterNames();
                    };
                    throw new AssertionError(read);
                }));
        assertSpent(1, 0, 0);
    }

    /** A thread that is late completes what another has dispatched. */
    @ParameterizedTest
    @ValueSource(strings = {"again", "/elsewhere", "/elsewhere of another application"})
    void oneThatIsDispatchedIsNotOverBeforeItIsComplete(String where) throws Exception {
        Exchange exchange = new Exchange();
        AsyncContext[] started = new AsyncContext[1];
        serve(exchange, (request, response) -> started[0] = request.startAsync(request, response));
        switch (where) {
            case "again" -> started[0].dispatch();
            case "/elsewhere" -> started[0].dispatch(where);
            default -> started[0].dispatch(null, where);
        }
        started[0].complete();
        assertSpent(1, 1, 1);
        exchange.complete(404);
        assertSpent(1, 0, 0);
    }

    /** The application that it was dispatched to has the context from the request. */
    @Test
    void oneThatIsCompletedWhereItWasDispatchedToIsOver() throws Exception {
        Exchange exchange = new Exchange();
        HttpServletRequest[] dispatched = new HttpServletRequest[1];
        serve(exchange, (request, response) -> {
            request.startAsync().dispatch();
            dispatched[0] = (HttpServletRequest) request;
        });
        assertSpent(1, 1, 1);
        exchange.status = 404;
        dispatched[0].getAsyncContext().complete();
        assertSpent(1, 0, 0);
    }

    @Test
    void oneThatAnotherThreadHasCompletedIsOver() throws Exception {
        Exchange exchange = new Exchange();
        exchange.asynchronous = true;
        exchange.complete = true;
        serve(exchange, 200);
        assertSpent(1, 0, 0);
    }

    /** It meets the limits of where it goes, and those that it has met only once. */
    @Test
    void aRequestThatIsForwardedIsChargedOnce() throws Exception {
        Exchange exchange = new Exchange();
        exchange.servlet = "other";
        serve(exchange, (request, response) -> {
            assertSpent(0, 0, 0);
            exchange.dispatch = DispatcherType.FORWARD;
            exchange.servlet = "limited";
            serve(exchange, 200);
            serve(exchange, 200);
            assertSpent(1, 1, 1);
        });
        assertSpent(1, 0, 0);
    }

    /** A request of another application is counted, and its state is left alone. */
    @Test
    void aRequestThatAnotherApplicationForwardsIsCountedHere() throws Exception {
        try (ApplicationRuntime another =
                new ApplicationRuntime(new MapSettings(), ServerContext.withoutServlets(null))) {
            RequestState foreign = another.requests().begin(true);
            Exchange exchange = new Exchange();
            exchange.dispatch = DispatcherType.FORWARD;
            exchange.attributes.put(RateLimitFilter.STATE, foreign);
            serve(exchange, 200);
            assertThat(spent("all")).isEqualTo(1);
            assertThat(foreign.limits().decisions()).isEmpty();
        }
    }

    @Test
    void aRejectedRequestNeverReachesTheServlet() throws Exception {
        for (int i = 0; i < 3; i++) {
            serve(new Exchange(), (request, response) -> {});
        }
        Exchange rejected = new Exchange();
        serve(rejected, (request, response) -> {
            throw new AssertionError("reached");
        });
        assertThat(rejected.status).isEqualTo(429);
        assertThat(rejected.headers).containsEntry("Retry-After", List.of("3600"));
        assertThat(rejected.headers.get("RateLimit").get(0)).startsWith("\"all\";r=0;t=3599");
        assertSpent(3, 0, 0);
    }

    /** A forwarded request meets the limits that it has not met yet. */
    @Test
    void aRequestThatIsForwardedMeetsWhatItHasNotMet() throws Exception {
        Exchange exchange = new Exchange();
        serve(exchange, (request, response) -> {
            exchange.dispatch = DispatcherType.FORWARD;
            exchange.servlet = "wider";
            serve(exchange, (again, answer) -> {});
        });
        assertThat(List.of(spent("all"), spent("more"))).containsExactly(1L, 1L);
    }

    /** The other application keeps its state. Leases and units that do not count come back. */
    @Test
    void aRequestThatAnotherApplicationForwardedEndsHere() throws Exception {
        try (ApplicationRuntime another =
                new ApplicationRuntime(new MapSettings(), ServerContext.withoutServlets(null))) {
            RequestState foreign = another.requests().begin(false);
            Exchange exchange = new Exchange();
            exchange.dispatch = DispatcherType.FORWARD;
            exchange.attributes.put(RateLimitFilter.STATE, foreign);
            serve(exchange, (request, response) -> assertThat(spent("flight")).isEqualTo(1));
            assertThat(List.of(spent("all"), spent("failures"), spent("flight")))
                    .containsExactly(1L, 0L, 0L);
            assertThat(exchange.attributes).containsEntry(RateLimitFilter.STATE, foreign);
            assertThat(foreign.limits().decisions()).isEmpty();
        }
    }

    /** To a HEAD the same without a body. */
    @ParameterizedTest
    @CsvSource({
        "GET,  application/json",
        "POST, text/plain",
        "HEAD, application/json",
        "HEAD, text/html",
        "PUT,  ",
    })
    void aRejectionIsAnsweredInWhatTheClientTakes(String verb, String accept) throws Exception {
        for (int i = 0; i < 3; i++) {
            serve(new Exchange(), (request, response) -> {});
        }
        Exchange rejected = new Exchange();
        rejected.verb = verb;
        rejected.sent.put("Origin", "https://shop.example");
        if (accept != null) {
            rejected.sent.put("Accept", accept);
        }
        serve(rejected, (request, response) -> {
            throw new AssertionError("reached");
        });
        boolean json = accept == null || accept.contains("json");
        String detail = "Limit \"all\" reached; retry in 3600 s.";
        String text = json ? "{\"type\":" : detail + '\n';
        assertThat(rejected.headers.get("Content-Type"))
                .containsExactly(json ? "application/problem+json" : "text/plain;charset=UTF-8");
        assertThat(rejected.body.toString(StandardCharsets.UTF_8)).startsWith(verb.equals("HEAD") ? "" : text);
        assertThat(rejected.body.size()).isEqualTo(verb.equals("HEAD") ? 0 : rejected.length);
        assertThat(rejected.length).isGreaterThanOrEqualTo(detail.length());
        assertThat(rejected.headers.get("Access-Control-Expose-Headers").get(0))
                .contains("RateLimit", "RateLimit-Policy", "Retry-After");
    }

    /** As an extension refuses. */
    private static final class Full extends NotAdmittedException {
        private static final long serialVersionUID = 1L;

        Full() {
            super("orders are full", null, false);
        }

        @Override
        public long retryAfterSeconds() {
            return 7;
        }

        @Override
        public Optional<String> clientDetail() {
            return Optional.of("Queue \"orders\" is full");
        }
    }

    /** A servlet asks the limiter itself and does not catch its exception. */
    @ParameterizedTest
    @CsvSource({"full, 429, 7", "away, 503, 1"})
    void whatAServletDoesNotCatchIsAnswered(String what, int status, String retryAfter) throws Exception {
        NotAdmittedException thrown =
                what.equals("full") ? new Full() : new StoreUnavailableException("redis.internal is away", null);
        Exchange exchange = new Exchange();
        serve(exchange, (request, response) -> {
            throw thrown;
        });
        assertThat(exchange.status).isEqualTo(status);
        assertThat(exchange.headers).containsEntry("Retry-After", List.of(retryAfter));
        assertThat(exchange.headers).containsKey("RateLimit");
        assertThat(exchange.body.toString(StandardCharsets.UTF_8)).doesNotContain("internal");
        assertSpent(1, status / 500, 0);
        Exchange begun = new Exchange();
        begun.committed = true;
        assertThatExceptionOfType(NotAdmittedException.class)
                .isThrownBy(() -> serve(begun, (request, response) -> {
                    throw thrown;
                }))
                .isSameAs(thrown);
        assertThat(begun.body.size()).isZero();
    }

    /** A cache would keep the refusal as the page that the servlet began to describe. */
    @Test
    void whatAServletSaidOfItsResponseIsNotSaidOfTheRefusal() throws Exception {
        Exchange exchange = new Exchange();
        serve(exchange, (request, response) -> {
            ((HttpServletResponse) response).setHeader("ETag", "\"page-1\"");
            throw new Full();
        });
        assertThat(exchange.status).isEqualTo(429);
        assertThat(exchange.headers).containsKey("RateLimit").doesNotContainKey("ETag");
    }

    /** Otherwise it would be in flight until its time is up, though its client has the answer. */
    @Test
    void anAsynchronousRequestThatIsAnsweredSoIsComplete() throws Exception {
        Exchange exchange = new Exchange();
        serve(exchange, (request, response) -> {
            request.startAsync();
            throw new Full();
        });
        assertThat(exchange.complete).isTrue();
        assertThat(exchange.status).isEqualTo(429);
        assertSpent(1, 0, 0);
    }

    /** The filter that began the request has returned. */
    @Test
    void anAsynchronousDispatchIsAnsweredSoWhereItIsRefused() throws Exception {
        Exchange exchange = new Exchange();
        serve(exchange, (request, response) -> request.startAsync().dispatch());
        exchange.asynchronous = false;
        exchange.dispatch = DispatcherType.ASYNC;
        serve(exchange, (request, response) -> {
            throw new Full();
        });
        assertThat(exchange.headers).containsKey("RateLimit");
        exchange.complete(exchange.status);
        assertThat(exchange.status).isEqualTo(429);
        assertSpent(1, 0, 0);
    }

    /** A page that includes a servlet may go on without it. */
    @ParameterizedTest
    @EnumSource(names = {"FORWARD", "INCLUDE", "ERROR"})
    void anotherDispatchThatIsRefusedIsLeftToTheServletThatDispatchesIt(DispatcherType dispatch) throws Exception {
        Exchange exchange = new Exchange();
        Full thrown = new Full();
        serve(exchange, (request, response) -> {
            exchange.headers.put("X-Page", List.of("begun"));
            exchange.dispatch = dispatch;
            assertThatExceptionOfType(NotAdmittedException.class)
                    .isThrownBy(() -> serve(exchange, (again, answer) -> {
                        throw thrown;
                    }))
                    .isSameAs(thrown);
        });
        assertThat(exchange.headers).containsKey("X-Page");
        assertThat(exchange.body.size()).isZero();
        assertSpent(1, 0, 0);
    }

    /** A container answers 5xx itself, or a listener of the application does. */
    @ParameterizedTest
    @CsvSource({"true, false, 0", "false, false, 1", "true, true, 0", "false, true, 1"})
    void anErrorAfterItsClientHasResetTheStreamIsNoFailureOfTheServer(boolean reset, boolean heard, int failures)
            throws Exception {
        Exchange exchange = new Exchange();
        serve(exchange, (request, response) -> {
            AsyncContext started = request.startAsync();
            if (heard) {
                started.addListener(new Completing(new ArrayList<>()));
            }
        });
        exchange.status = 500;
        exchange.fail(reset ? new IOException("reset") : new IllegalStateException("a mistake"));
        assertSpent(1, heard ? failures : 1, heard ? 0 : 1);
        exchange.complete(500);
        assertSpent(1, failures, 0);
    }

    /** Such listeners take the context from the event. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRequestThatAListenerCompletesIsOver(boolean timeOut) throws Exception {
        Exchange exchange = new Exchange();
        List<Throwable> heard = new ArrayList<>();
        serve(exchange, (request, response) -> request.startAsync().addListener(new Completing(heard)));
        assertSpent(1, 1, 1);
        IOException reset = new IOException("reset");
        if (timeOut) {
            exchange.timeOut();
        } else {
            exchange.fail(reset);
        }
        assertThat(heard).containsExactly(timeOut ? null : reset);
        assertSpent(1, 0, 0);
    }

    /** Completes what it hears of. */
    private record Completing(List<Throwable> heard) implements AsyncListener {
        @Override
        public void onTimeout(AsyncEvent event) {
            onError(event);
        }

        @Override
        public void onError(AsyncEvent event) {
            heard.add(event.getThrowable());
            event.getAsyncContext().complete();
        }

        @Override
        public void onComplete(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }

    @Test
    void aServletThatIsNoHttpServletHasNoLimit() throws Exception {
        Exchange exchange = new Exchange();
        exchange.servlet = "generic";
        serve(exchange, (request, response) -> {});
        assertThat(exchange.headers).doesNotContainKey("RateLimit");
    }

    @ParameterizedTest
    @CsvSource({"GET", "HEAD", "POST", "TRACE", "X"})
    void everyOtherMethodIsCounted(String verb) throws Exception {
        Exchange exchange = new Exchange();
        exchange.verb = verb;
        serve(exchange, 200);
        assertSpent(1, 0, 0);
    }

    @Test
    void aQuestionOfOptionsIsNotCounted() throws Exception {
        Exchange exchange = new Exchange();
        exchange.verb = "OPTIONS";
        serve(exchange, (request, response) -> assertSpent(0, 0, 0));
        assertSpent(0, 0, 0);
    }

    @Test
    void aServletThatAnswersOptionsItselfIsCounted() throws Exception {
        for (int i = 0; i < 3; i++) {
            Exchange exchange = new Exchange();
            exchange.servlet = "serving";
            exchange.verb = "OPTIONS";
            serve(exchange, (request, response) -> {});
        }
        assertThat(spent("served")).isEqualTo(3);
    }

    /** A filter between the first and the last one authenticates, or answers itself. */
    @Test
    void theLimitIsDecidedNearestToTheServlet() throws Exception {
        Exchange exchange = new Exchange();
        filter.doFilter(exchange.request, exchange.response, (request, response) -> assertSpent(0, 0, 0));
        assertSpent(0, 0, 0);
    }

    /** The last filter before all servlets leaves those alone that have one of their own. */
    @Test
    void aServletWithALastFilterOfItsOwnIsCountedThere() throws Exception {
        Exchange exchange = new Exchange();
        exchange.servlet = "wider";
        filter.doFilter(exchange.request, exchange.response, (request, response) -> {
            filter.last(Set.of("wider")).doFilter(request, response, (again, answer) -> {});
            assertThat(spent("more")).isZero();
            filter.last("wider").doFilter(request, response, (again, answer) -> {});
            assertThat(spent("more")).isEqualTo(1);
        });
    }

    /** A request that is forwarded by name has the mapping of the servlet that forwards it. */
    @Test
    void aRequestThatIsForwardedByNameIsCounted() throws Exception {
        Exchange exchange = new Exchange();
        exchange.servlet = "other";
        serve(
                exchange,
                (request, response) -> filter.last("limited").doFilter(request, response, (again, answer) -> {}));
        assertThat(spent("all")).isEqualTo(1);
    }

    /** Limits before authentication are asked first, as of other requests. */
    @Test
    void aForwardByNameThatTheEarlyLimitRejectsCostsNothingOfTheLateOne() throws Exception {
        for (int i = 0; i < 2; i++) {
            Exchange exchange = new Exchange();
            exchange.servlet = "other";
            serve(exchange, (request, response) -> {
                exchange.dispatch = DispatcherType.FORWARD;
                filter.last("staged").doFilter(request, response, (again, answer) -> {});
            });
            assertThat(exchange.status).isEqualTo(i == 0 ? 200 : 429);
        }
        assertThat(List.of(spent("early"), spent("late"))).containsExactly(1L, 1L);
    }

    private void assertSpent(long all, long failures, long flight) {
        assertThat(List.of(spent("all"), spent("failures"), spent("flight"))).containsExactly(all, failures, flight);
    }

    private long spent(String name) {
        Policy policy = runtime.policies().named(name).version().policy();
        return policy.capacity() - runtime.limiter().peek(policy, ALL).remaining();
    }
}
