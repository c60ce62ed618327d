package dev.limiter.redis.recorded;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.internal.algorithm.PolicyMembers;
import dev.limiter.internal.settings.DurationNotation;
import java.util.ArrayList;
import java.util.List;

/** Reads a policy as a recording writes it: {@code GCRA; limit 10; window 7s; burst 4}. */
final class PolicyNotation {
    private PolicyNotation() {}

    static Policy read(String name, String text) {
        List<String> parts = new ArrayList<>(List.of(text.split("; ")));
        PolicyMembers members = PolicyMembers.of(name, Algorithm.valueOf(parts.remove(0)), 0);
        for (String part : parts) {
            String[] words = part.split(" ", 2);
            members = with(members, words[0], words[1]);
        }
        return new Policy(members);
    }

    private static PolicyMembers with(PolicyMembers members, String name, String value) {
        return switch (name) {
            case "window" -> members.with(PolicyMember.WINDOW, DurationNotation.parse(value));
            case "period" -> members.with(PolicyMember.PERIOD, CalendarPeriod.parse(value));
            case "movable" ->
                members.with(PolicyMember.PERIOD, CalendarPeriod.parse(value).movable());
            case "limitVaries" -> members.with(PolicyMember.LIMIT_VARIES, true);
            default ->
                with(
                        members,
                        PolicyMember.ALL.stream()
                                .filter(member -> member.name().equals(name))
                                .findFirst()
                                .orElseThrow(() -> new IllegalArgumentException("no member: " + name)),
                        value);
        };
    }

    private static <T> PolicyMembers with(PolicyMembers members, PolicyMember<T> member, String value) {
        return members.with(member, member.parse(value));
    }
}
