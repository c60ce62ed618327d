package dev.limiter.cdi.internal;

import static java.util.stream.Collectors.joining;

import dev.limiter.Stage;
import dev.limiter.jaxrs.internal.declaration.AnnotationFinder;
import dev.limiter.jaxrs.internal.declaration.TypeArguments;
import dev.limiter.jaxrs.internal.key.KeyExpression;
import dev.limiter.jaxrs.internal.key.KeyValueSource;
import dev.limiter.jaxrs.internal.key.Placeholder;
import dev.limiter.jaxrs.internal.platform.Suggestions;
import dev.limiter.jaxrs.internal.policy.CallerPeriod;
import dev.limiter.jaxrs.internal.policy.DeclarationSite;
import dev.limiter.jaxrs.internal.policy.Limit;
import dev.limiter.jaxrs.internal.policy.Plan;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * Checks that the limits of a method count what a call has. It has no response, no address, and
 * nothing else of a request of HTTP.
 *
 * @param problems takes a line for each that does not
 */
record CallRules(Class<?> bean, Method method, Plan plan, List<String> problems) {
    private static final Set<Placeholder> OF_CALLS =
            EnumSet.of(Placeholder.USER, Placeholder.CLAIM, Placeholder.BEAN, Placeholder.PARAM, Placeholder.ENDPOINT);

    /** By name, since some may be absent. */
    private static final Set<String> DONE_LATER = Set.of(
            "java.util.concurrent.Future",
            "java.util.concurrent.Flow$Publisher",
            "org.reactivestreams.Publisher",
            "io.reactivex.rxjava3.core.SingleSource",
            "io.reactivex.rxjava3.core.MaybeSource",
            "io.reactivex.rxjava3.core.CompletableSource");

    void check() {
        for (Limit limit : plan.limits()) {
            DeclarationSite place = place(limit);
            if (!limit.countOn().isAll()) {
                problems.add(place.address("countOn") + '"' + limit.countOn().text()
                        + "\" names responses, and the method of a bean has none; leave it out");
            }
            if (limit.stage() != Stage.AFTER_AUTHENTICATION) {
                problems.add(place.address("stage") + limit.stage()
                        + " is of requests, and a call is decided once; leave it out");
            }
            if (limit.policy().declaration().policy().rules().leases() && isDoneUnseen(method.getReturnType())) {
                problems.add(place.address("algorithm") + "CONCURRENCY counts calls until they are done, and nothing"
                        + " tells when a " + method.getReturnType().getSimpleName()
                        + " is; return a CompletionStage, a Uni or a Multi");
            }
            CallerPeriod periods = limit.policy().declaration().callerPeriod();
            limit.key().parts().forEach(part -> checkPresent(place, part));
            checkSources(place, "key", limit.key().sources());
            checkSources(place, "cost", limit.cost().sources());
            checkSources(
                    place,
                    "tier",
                    limit.tier() == null ? List.of() : limit.tier().alternatives());
            checkSources(place, "window", periods == null ? List.of() : periods.sources());
        }
    }

    /** A limit is written on the method, or else on the class. */
    private DeclarationSite place(Limit limit) {
        DeclarationSite onMethod = DeclarationSite.of(bean, method);
        return AnnotationFinder.on(bean, method).limits().stream()
                .map(found -> found.limited().name())
                .filter(name -> limit.name().equals(name.isEmpty() ? onMethod.shortName() : name))
                .findFirst()
                .map(name -> onMethod)
                .orElseGet(() -> DeclarationSite.of(bean));
    }

    /** Whether the work goes on after the method has returned, and nothing tells its end. */
    private static boolean isDoneUnseen(Class<?> returned) {
        return TypeArguments.isAny(returned, DONE_LATER)
                && !CompletionStage.class.isAssignableFrom(returned)
                && !returned.getName().equals("io.smallrye.mutiny.Multi");
    }

    private void checkPresent(DeclarationSite place, KeyExpression.Segment part) {
        KeyValueSource last = part.alternatives().get(part.alternatives().size() - 1);
        boolean there = last.isLiteral() || last.is(Placeholder.ENDPOINT);
        if (!there && OF_CALLS.containsAll(last.placeholders())) {
            String written =
                    part.alternatives().stream().map(KeyValueSource::name).collect(joining("|"));
            problems.add(place.address("key") + '"' + last.written() + "\" may be missing, and a call has no address to"
                    + " count it on; end in a literal, such as \""
                    + (last.placeholder() == null ? "{bean:...|'none'}" : '{' + written + "|'none'}") + '"');
        }
    }

    private void checkSources(DeclarationSite place, String member, List<KeyValueSource> sources) {
        for (KeyValueSource source : sources) {
            if (!OF_CALLS.containsAll(source.placeholders())) {
                problems.add(place.address(member) + '"' + source.written() + "\" is of a request, and a bean may be"
                        + " called without one; write \"{user|'nobody'}\", \"{param:...|'none'}\" or"
                        + " \"{bean:...|'none'}\"");
            } else if (source.is(Placeholder.PARAM)) {
                checkParameter(place, member, source);
            }
        }
    }

    private void checkParameter(DeclarationSite place, String member, KeyValueSource source) {
        List<Parameter> parameters = List.of(method.getParameters());
        List<String> names = parameters.stream().map(Parameter::getName).toList();
        int index = names.indexOf(source.parameter());
        if (parameters.stream().anyMatch(each -> !each.isNamePresent())) {
            problems.add(place.address(member) + '"' + source.written() + "\" needs the names of parameters, and "
                    + method.getDeclaringClass().getSimpleName() + " was compiled without them; compile it with"
                    + " -parameters, in Maven <maven.compiler.parameters>true</maven.compiler.parameters>");
        } else if (index < 0) {
            problems.add(place.address(member) + "no parameter \"" + source.parameter() + "\" of " + method.getName()
                    + "; " + Suggestions.suggest(source.parameter(), names));
        } else if (!hasText(TypeArguments.of(bean).typesOf(method)[index])) {
            problems.add(place.address(member) + '"' + source.written() + "\" is a "
                    + parameters.get(index).getType().getSimpleName() + ", whose text may differ with each object: then"
                    + " each call would be counted alone; pass a String, or take the value by \"{bean:...|'none'}\"");
        }
    }

    /** Whether the text of equal values is equal: the type, not only Object, makes it. */
    private static boolean hasText(Class<?> type) {
        return type.isPrimitive()
                || Stream.of(type.getMethods())
                        .anyMatch(each -> each.getName().equals("toString")
                                && each.getParameterCount() == 0
                                && each.getDeclaringClass() != Object.class);
    }
}
