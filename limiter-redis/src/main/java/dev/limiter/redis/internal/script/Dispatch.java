package dev.limiter.redis.internal.script;

import dev.limiter.spi.algorithm.StateKind;
import java.util.List;
import java.util.Locale;

/**
 * The lines of a program that lead from the name of an algorithm, an argument, to its functions.
 */
enum Dispatch {
    READ("key, now, a, peek", "error('argument ' .. a .. ' is no algorithm')"),
    CHARGE("key, now, a, times, cost, found1, found2, found3", ""),
    /** Returns whether the algorithm has a debt function of its own. */
    DEBT("key, now, a, found1, found2, found3", "return false"),
    REFUND("key, now, a", "return false");

    private final String parameters;
    private final String otherwise;

    /** @param otherwise what happens with an algorithm that has no such function */
    Dispatch(String parameters, String otherwise) {
        this.parameters = parameters;
        this.otherwise = otherwise;
    }

    /** For decisions: a single algorithm needs no choice by name. */
    static String ofDecisions(List<StateKind> kinds) {
        if (kinds.size() == 1) {
            String title = kinds.get(0).title();
            return "local read, charge = " + title + "_read, " + title + "_charge\n";
        }
        return READ.choice(kinds) + CHARGE.choice(kinds);
    }

    /**
     * For adjustments: all algorithms.
     *
     * @param files the text of their files; a file may lack a debt function and a refund function
     */
    static String ofAdjustments(String files) {
        List<StateKind> all = List.of(StateKind.values());
        return READ.choice(all)
                + CHARGE.choice(all)
                + DEBT.choice(DEBT.in(files, all))
                + REFUND.choice(REFUND.in(files, all));
    }

    private List<StateKind> in(String files, List<StateKind> kinds) {
        return kinds.stream()
                .filter(kind -> files.contains("local function " + function(kind) + "("))
                .toList();
    }

    private String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    private String function(StateKind kind) {
        return kind.title() + "_" + title();
    }

    private String choice(List<StateKind> kinds) {
        StringBuilder text = new StringBuilder("local function " + title() + "(" + parameters + ")\n");
        text.append("  local algorithm = ARGV[a]\n");
        String keyword = "  if ";
        for (StateKind kind : kinds) {
            text.append(keyword).append(condition(kind)).append(" then\n    ").append(call(kind));
            keyword = "  elseif ";
        }
        text.append("  end\n");
        return text.append(otherwise.isEmpty() ? "" : "  " + otherwise + "\n")
                .append("end\n")
                .toString();
    }

    private static String condition(StateKind kind) {
        String condition = "algorithm == '" + kind.title() + "'";
        return kind == StateKind.GCRA ? condition + " or algorithm == 'gcra_parts'" : condition;
    }

    private String call(StateKind kind) {
        String call = function(kind) + "(" + parameters + ")\n";
        return this == DEBT ? call + "    return true\n" : "return " + call;
    }
}
