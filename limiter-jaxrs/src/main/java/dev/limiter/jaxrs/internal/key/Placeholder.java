package dev.limiter.jaxrs.internal.key;

import static dev.limiter.Stage.AFTER_AUTHENTICATION;
import static dev.limiter.Stage.BEFORE_AUTHENTICATION;
import static dev.limiter.Stage.BEFORE_MATCHING;
import static dev.limiter.jaxrs.internal.key.Placeholder.Chooser.CALLER;
import static dev.limiter.jaxrs.internal.key.Placeholder.Chooser.SERVER;

import dev.limiter.Stage;
import dev.limiter.jaxrs.KeyResolver;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.jaxrs.internal.platform.Platform;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The data sheet of each placeholder: whether it takes a parameter, the earliest stage that
 * knows its value, whether the caller chooses it, which names in expressions mean the same, and
 * what reads it.
 */
public enum Placeholder {
    USER(false, AFTER_AUTHENTICATION, SERVER, Set.of("user", "request.user"), none -> Placeholder::user),
    IP(false, BEFORE_MATCHING, SERVER, Set.of("ip", "request.clientAddress"), n -> LimitedRequest::clientAddress),
    ENDPOINT(
            false,
            BEFORE_AUTHENTICATION,
            SERVER,
            Set.of("endpoint", "request.endpoint"),
            none -> LimitedRequest::endpoint),
    VERB(false, BEFORE_MATCHING, SERVER, Set.of("request.method"), none -> LimitedRequest::method),
    PATH(
            true,
            BEFORE_AUTHENTICATION,
            CALLER,
            Set.of("request.pathParameter"),
            name -> request -> request.pathParameter(name)),
    QUERY(true, BEFORE_MATCHING, CALLER, Set.of("request.query"), name -> request -> request.query(name)),
    HEADER(
            true,
            BEFORE_MATCHING,
            CALLER,
            Set.of("request", "request.header", "request.headers"),
            name -> request -> request.header(name)),
    COOKIE(true, BEFORE_MATCHING, CALLER, Set.of("request.cookie"), name -> request -> request.cookie(name)),
    FORM(true, BEFORE_MATCHING, CALLER, Set.of("request.form"), name -> request -> request.form(name)),
    ATTRIBUTE(
            true,
            BEFORE_MATCHING,
            SERVER,
            Set.of(),
            name -> request -> Objects.toString(request.attribute(name), null)),
    PARAM(
            true,
            AFTER_AUTHENTICATION,
            CALLER,
            Set.of("request.parameter"),
            name -> request -> Objects.toString(request.parameter(name), null)),
    CLAIM(true, AFTER_AUTHENTICATION, SERVER, Set.of(), Placeholder::claim),
    BEAN(true, BEFORE_MATCHING, SERVER, Set.of(), Placeholder::bean);

    private final boolean takesParameter;
    private final Stage earliest;
    private final Chooser chooser;
    private final Set<String> inExpressions;
    private final Function<String, Function<LimitedRequest, String>> readers;

    /** Chooses the value of a placeholder. */
    enum Chooser {
        /**
         * The client writes the value into its request, and can change it with every request.
         */
        CALLER,
        /** The server or the service determines the value. */
        SERVER
    }

    Placeholder(
            boolean takesParameter,
            Stage earliest,
            Chooser chooser,
            Set<String> inExpressions,
            Function<String, Function<LimitedRequest, String>> readers) {
        this.takesParameter = takesParameter;
        this.earliest = earliest;
        this.chooser = chooser;
        this.inExpressions = inExpressions;
        this.readers = readers;
    }

    /** The placeholder of a word such as {@code header}; empty if there is none. */
    static Optional<Placeholder> of(String word) {
        return Stream.of(values()).filter(each -> each.word().equals(word)).findFirst();
    }

    /**
     * The placeholder that means the same as a name in an expression, such as
     * {@code request.header}; empty if there is none.
     */
    static Optional<Placeholder> ofExpression(String name) {
        return Stream.of(values())
                .filter(each -> each.inExpressions.contains(name))
                .findFirst();
    }

    /** The name in a key. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean takesParameter() {
        return takesParameter;
    }

    /** The first stage that knows the value. */
    Stage earliest() {
        return earliest;
    }

    boolean isChosenByCaller() {
        return chooser == CALLER;
    }

    /** Whether every request has it. */
    boolean alwaysPresent() {
        return !takesParameter && this != USER;
    }

    /**
     * What reads the value from a request; it may be null or empty when it is missing.
     *
     * @param parameter empty for a placeholder without one
     * @throws IllegalArgumentException if this server has no such values
     */
    Function<LimitedRequest, String> reader(String parameter) {
        return readers.apply(parameter);
    }

    private static String user(LimitedRequest request) {
        return request.user() == null ? null : request.user().getName();
    }

    private static Function<LimitedRequest, String> bean(String name) {
        Lazy<KeyResolver> bean = Platform.namedBean(KeyResolver.class, name);
        return request -> bean.get().key(request);
    }

    private static Function<LimitedRequest, String> claim(String name) {
        if (!Platform.isPresent("org.eclipse.microprofile.jwt.JsonWebToken")) {
            throw new IllegalArgumentException("\"claim:" + name
                    + "\" is a claim of a MicroProfile JWT, which this server does not have; add"
                    + " microprofile-jwt-auth-api and an implementation, or use {bean:...}");
        }
        return request -> JwtClaims.of(request.user(), name);
    }
}
