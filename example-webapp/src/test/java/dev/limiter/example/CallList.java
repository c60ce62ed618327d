package dev.limiter.example;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The stops of one request as a page lists them, and their comparison with the bytecode. */
final class CallList {
    private static final String SERVER = "server";
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (\\d+) \\| (\\d+|server) \\| `([^`]+)` \\|");

    private final List<Stop> stops = new ArrayList<>();

    /**
     * @param number the place in the list, from 1
     * @param from the number of the stop whose method calls this one, or {@code server}
     * @param name such as {@code KeyExpression.partition}
     */
    record Stop(int number, String from, String name) {}

    /** Reads the rows of a table. */
    CallList(String markdown) {
        Matcher row = ROW.matcher(markdown);
        while (row.find()) {
            stops.add(new Stop(Integer.parseInt(row.group(1)), row.group(2), row.group(3)));
        }
    }

    int size() {
        return stops.size();
    }

    /** Where the list differs from the code; empty if it does not. */
    List<String> problems(JavaClasses code) {
        List<String> problems = new ArrayList<>();
        Deque<Integer> running = new ArrayDeque<>(); // the stops whose calls have not returned
        for (int i = 0; i < stops.size(); i++) {
            Stop stop = stops.get(i);
            String row = "stop " + stop.number() + ", " + stop.name() + ": ";
            List<JavaMethod> methods = methods(code, stop.name());
            if (stop.number() != i + 1) {
                problems.add(row + "is number " + (i + 1));
            } else if (methods.isEmpty()) {
                problems.add(row + "no such method");
            } else if (stop.from().equals(SERVER)) {
                if (methods.stream().noneMatch(CallList::isOfJakarta)) {
                    problems.add(row + "is no method of an interface of Jakarta");
                }
            } else {
                problems.addAll(problems(code, row, stop, methods, running));
            }
            running.push(stop.number());
        }
        return problems;
    }

    private List<String> problems(
            JavaClasses code, String row, Stop stop, List<JavaMethod> methods, Deque<Integer> running) {
        int from = Integer.parseInt(stop.from());
        while (!running.isEmpty() && running.peek() != from) {
            running.pop();
        }
        if (running.isEmpty()) {
            return List.of(row + "stop " + from + " has returned, or comes later");
        }
        List<JavaMethod> callers = methods(code, stops.get(from - 1).name());
        boolean called = callers.stream().anyMatch(caller -> calls(caller, methods));
        return called ? List.of() : List.of(row + stops.get(from - 1).name() + " does not call it");
    }

    /**
     * The methods of a name such as {@code RateLimitFilter.AfterAuthentication.filter}; none if
     * there are several such classes.
     */
    static List<JavaMethod> methods(JavaClasses code, String name) {
        int dot = name.lastIndexOf('.');
        List<JavaClass> owners = classes(code, name.substring(0, Math.max(0, dot)));
        return owners.size() != 1
                ? List.of()
                : owners.get(0).getMethods().stream()
                        .filter(method -> method.getName().equals(name.substring(dot + 1)))
                        .toList();
    }

    /** The classes of a name without its package, such as {@code RequestDecision.Pending}. */
    static List<JavaClass> classes(JavaClasses code, String name) {
        String binary = '.' + name.replace('.', '$');
        return code.stream().filter(each -> each.getName().endsWith(binary)).toList();
    }

    /**
     * Whether a method calls one of the others or what they override, by itself or by way of its
     * own file.
     */
    private static boolean calls(JavaMethod caller, List<JavaMethod> called) {
        Set<JavaCodeUnit> seen = new HashSet<>();
        Deque<JavaCodeUnit> left = new ArrayDeque<>(List.of(caller));
        while (!left.isEmpty()) {
            JavaCodeUnit unit = left.pop();
            if (!seen.add(unit)) {
                continue;
            }
            for (JavaMethodCall call : unit.getMethodCallsFromSelf()) {
                if (called.stream().anyMatch(method -> isOrOverrides(method, call))) {
                    return true;
                }
                if (file(call.getTargetOwner()).equals(file(caller.getOwner()))) {
                    call.getTarget().resolveMember().ifPresent(left::push);
                }
            }
        }
        return false;
    }

    private static boolean isOrOverrides(JavaMethod method, JavaMethodCall call) {
        return method.getName().equals(call.getName())
                && parameters(method)
                        .equals(call.getTarget().getRawParameterTypes().stream()
                                .map(JavaClass::getName)
                                .toList())
                && method.getOwner().isAssignableTo(call.getTargetOwner().getName());
    }

    private static boolean isOfJakarta(JavaMethod method) {
        return method.getOwner().getAllRawInterfaces().stream()
                .filter(type -> type.getPackageName().startsWith("jakarta."))
                .flatMap(type -> type.getMethods().stream())
                .anyMatch(declared -> declared.getName().equals(method.getName())
                        && parameters(declared).equals(parameters(method)));
    }

    private static List<String> parameters(JavaMethod method) {
        return method.getRawParameterTypes().stream().map(JavaClass::getName).toList();
    }

    private static String file(JavaClass type) {
        return type.getName().split("\\$", 2)[0];
    }

    /**
     * The names of all members and classes that stand between backticks in a text and are none
     * of the code.
     */
    static Set<String> unknownNames(JavaClasses code, String markdown) {
        Set<String> unknown = new TreeSet<>();
        Matcher name = Pattern.compile("`((?:[A-Z]\\w*\\.)*[A-Z]\\w*)(?:\\.([a-z]\\w*))?`")
                .matcher(markdown);
        while (name.find()) {
            boolean known = name.group(2) == null
                    ? !classes(code, name.group(1)).isEmpty()
                    : classes(code, name.group(1)).stream()
                            .flatMap(CallList::members)
                            .anyMatch(member -> member.getName().equals(name.group(2)));
            if (!known) {
                unknown.add(name.group().replace("`", ""));
            }
        }
        return unknown;
    }

    private static Stream<JavaMember> members(JavaClass type) {
        return type.getMembers().stream();
    }
}
