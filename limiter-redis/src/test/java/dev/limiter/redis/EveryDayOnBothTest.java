package dev.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.model.CalendarEnd;
import dev.limiter.redis.internal.script.VirtualTime;
import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.property.TestSize;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.RedisClient;

/**
 * Each unit is counted in the period of the calendar that {@code java.time} names, by the
 * limiter on Redis and by the one in memory. The nodes that ask Redis have clocks of their own.
 */
@Tag("proof")
class EveryDayOnBothTest {
    private static final long SECOND = 1_000_000;
    private static final long DAY = 86_400 * SECOND;
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");

    /** At full size each day is tried, else a part of them. */
    private static final int ALL = 100;

    @AutoClose
    private static final RedisServer redis = RedisServer.start();

    @AutoClose
    private static final RedisClient jedis = RedisClient.create(redis.uri());

    @ParameterizedTest
    @CsvSource({
        "UTC, 2023, 2032",
        "Europe/Paris, 2023, 2032",
        "America/Sao_Paulo, 2023, 2032",
        "Asia/Kathmandu, 2023, 2032",
        "Pacific/Apia, 2011, 2011", // without 30 December
        "America/Sao_Paulo, 2017, 2018" // the hour changed at midnight
    })
    void eachUnitIsCountedInThePeriodThatJavaTimeNames(ZoneId zone, int from, int to) {
        List<Quota> quotas = quotas(zone);
        VirtualTime time = new VirtualTime(jedis);
        String application = zone + " " + from;
        List<RateLimiter> nodes = new ArrayList<>();
        for (int ahead : new int[] {0, 60, -60}) {
            InstantSource own = () -> time.instant().plusSeconds(ahead);
            nodes.add(time.shipped(application, own));
        }
        RateLimiter memory = new LocalRateLimiter(time);
        List<CheckGroup> groups = quotas.stream()
                .map(quota -> CheckGroup.of(Check.of(quota.policy, ALICE)))
                .toList();
        List<String> differences = new ArrayList<>();
        TreeSet<LocalDate> days = days(zone, LocalDate.of(from, 1, 1), LocalDate.of(to, 12, 31));
        int instants = 0;
        for (long instant : instants(zone, days)) {
            time.move(instant);
            List<Decision> inRedis = nodes.get(instants % nodes.size()).acquireEach(groups);
            List<Decision> inMemory = memory.acquireEach(groups);
            for (int i = 0; i < quotas.size(); i++) {
                Quota quota = quotas.get(i);
                quota.count(instant);
                quota.compare("Redis", inRedis.get(i), instant, differences);
                quota.compare("memory", inMemory.get(i), instant, differences);
            }
            instants++;
        }
        System.out.printf(
                "%n%s, %d to %d: %,d days, %,d instants, %,d units on Redis and in memory each, %d differences from"
                        + " java.time%n",
                zone, from, to, days.size(), instants, (long) instants * quotas.size(), differences.size());
        assertThat(differences).isEmpty();
    }

    /**
     * The days of the zone's calendar: all of them at full size. Else a part, with each 29
     * February and each day on which the offset changes.
     */
    private static TreeSet<LocalDate> days(ZoneId zone, LocalDate first, LocalDate last) {
        int step = Math.max(1, ALL / TestSize.of(ALL));
        TreeSet<LocalDate> days = new TreeSet<>();
        for (LocalDate day = first; !day.isAfter(last); day = day.plusDays(1)) {
            boolean leap = MonthDay.from(day).equals(MonthDay.of(2, 29));
            boolean changes = beginning(day.plusDays(1), zone) - beginning(day, zone) != DAY;
            if (leap || changes || day.toEpochDay() % step == 0) {
                days.add(day);
            }
        }
        days.removeIf(day -> !day.atTime(12, 0).atZone(zone).toLocalDate().equals(day)); // was skipped
        return days;
    }

    /**
     * The first instant, noon and the last instant of each day, the last of the day before, and
     * those around a change of the hour.
     */
    private static TreeSet<Long> instants(ZoneId zone, TreeSet<LocalDate> days) {
        TreeSet<Long> instants = new TreeSet<>();
        for (LocalDate day : days) {
            long begins = beginning(day, zone);
            long ends = beginning(day.plusDays(1), zone);
            long noon = day.atTime(12, 0).atZone(zone).toEpochSecond() * SECOND;
            instants.addAll(List.of(begins - 1, begins, noon, ends - 1));
            ZoneOffsetTransition change = zone.getRules().nextTransition(Instant.ofEpochSecond(begins / SECOND - 1));
            long changes = change == null ? ends : change.getInstant().getEpochSecond() * SECOND;
            if (changes < ends) {
                instants.addAll(List.of(changes - 1, changes, changes + 1));
            }
        }
        return instants;
    }

    private static long beginning(LocalDate date, ZoneId zone) {
        return date.atStartOfDay(zone).toEpochSecond() * SECOND;
    }

    private static List<Quota> quotas(ZoneId zone) {
        List<Quota> quotas = new ArrayList<>();
        quotas.add(new Quota(zone, "day", "0", 1, 1));
        for (int day = 1; day <= 7; day++) {
            quotas.add(new Quota(zone, "week", String.valueOf(day), 1, day));
        }
        for (int day : new int[] {1, 15, 29, 30, 31}) {
            quotas.add(new Quota(zone, "month", String.valueOf(day), 1, day));
            for (String unit : List.of("quarter", "year")) {
                quotas.add(new Quota(zone, unit, "01-" + String.format("%02d", day), 1, day));
            }
        }
        for (String unit : List.of("quarter", "year")) {
            quotas.add(new Quota(zone, unit, "02-29", 2, 29));
        }
        return quotas;
    }

    /** A policy, and by definition the end of its present period and the units in it. */
    private static final class Quota {
        private final Policy policy;
        private final CalendarEnd definition;
        private long end;
        private long used;

        Quota(ZoneId zone, String unit, String anchor, int month, int day) {
            CalendarPeriod period = CalendarPeriod.parse("1 " + unit + " " + zone);
            this.policy =
                    Policy.of(unit + " " + anchor, 1_000_000, anchor.equals("0") ? period : period.withAnchor(anchor));
            this.definition = new CalendarEnd(unit, zone, month, day);
        }

        /** One more unit at an instant that is not before the last one. */
        void count(long instant) {
            used = instant < end ? used + 1 : 1;
            end = instant < end ? end : definition.after(instant);
        }

        void compare(String store, Decision decision, long instant, List<String> differences) {
            CheckResult result = decision.results().get(0);
            if (result.used() != used || result.resetAfterMicros() != end - instant) {
                differences.add(policy.period() + " at " + instant
                        + " µs in " + store + ": " + result.used() + " units until "
                        + (instant + result.resetAfterMicros()) + " µs, by definition " + used + " until " + end);
            }
        }
    }
}
