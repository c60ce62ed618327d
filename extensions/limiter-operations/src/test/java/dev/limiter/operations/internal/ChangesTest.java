package dev.limiter.operations.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The text that instances share, and how one of them follows it. */
class ChangesTest {
    private static final String ALPHABET = "ab|\t\n\r=&%+ \"\\\u00e4\u2028{}.";

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong millis = new AtomicLong(1_000_000);
    private final MemoryText text = new MemoryText(() -> Instant.ofEpochMilli(millis.get()));
    private final List<String> adopted = new ArrayList<>();

    private static Change change(String policy, long until) {
        return new Change(Change.OF_POLICY, policy, "", Map.of("limit", "5"), until, 1, "me", "test");
    }

    @Test
    void whatIsWrittenIsRead() {
        Random dice = new Random(1);
        for (int i = 0; i < 1_000; i++) {
            Changes changes = Changes.NONE;
            for (int each = dice.nextInt(4); each >= 0; each--) {
                Map<String, String> values =
                        dice.nextBoolean() ? Map.of() : Map.of(any(dice), any(dice), "x", any(dice));
                changes = changes.with(new Change(
                        any(dice),
                        any(dice),
                        any(dice),
                        values,
                        dice.nextLong(),
                        dice.nextLong(),
                        any(dice),
                        any(dice)));
            }
            assertThat(Changes.parse(changes.text())).isEqualTo(changes);
        }
    }

    private static String any(Random dice) {
        StringBuilder any = new StringBuilder();
        for (int length = dice.nextInt(5); length > 0; length--) {
            any.append(ALPHABET.charAt(dice.nextInt(ALPHABET.length())));
        }
        return any.toString();
    }

    @Test
    void aLineThatCannotBeReadHidesNoOther() {
        String good = change("p", 0).line();
        Changes changes = Changes.parse("version\nby hand\n" + good + "\ncaller\tp\tdigest\t\t0\t1\t\t\n");
        assertThat(changes.all()).containsExactly(Change.parse(good));
    }

    @Test
    void thereIsRoomForAThousandCallers() {
        Changes changes = Changes.NONE;
        for (int i = 0; i < Changes.MOST_CALLERS; i++) {
            changes = changes.with(caller(Integer.toString(i)));
        }
        Changes full = changes;
        assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> full.with(caller("more")));
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> Changes.NONE.with(
                        new Change(Change.OF_POLICY, "p", "", Map.of("limit", "5".repeat(300_000)), 0, 1, "", "")));
    }

    private static Change caller(String partition) {
        String reason = "because of ticket 4711, until the contract is renewed";
        return new Change(
                Change.OF_CALLER, "policy", partition, Map.of("limit", "500"), 1L << 41, 1, "operator", reason);
    }

    /** As one that was suspended: the first request waits for the reading that is under way. */
    @Test
    void noRequestPassesWhileAnOldCopyIsRead() throws InterruptedException {
        CountDownLatch reads = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        SharedText slow = (SharedText) Proxy.newProxyInstance(
                SharedText.class.getClassLoader(), new Class<?>[] {SharedText.class}, (proxy, method, arguments) -> {
                    reads.countDown();
                    answer.await();
                    return method.invoke(text, arguments);
                });
        instance("other").change(now -> now.with(change("p", 0)));
        adopted.clear();
        LiveChanges live = new LiveChanges(slow, nanos::get, (before, now) -> adopted.add("adopted"));
        after(60_000);
        Thread reading = new Thread(live::beforeRequest);
        reading.start();
        reads.await();
        List<String> seen = new CopyOnWriteArrayList<>();
        Thread request = new Thread(() -> {
            live.beforeRequest();
            seen.addAll(adopted);
        });
        request.start();
        Awaitility.await().until(() -> request.getState() == Thread.State.WAITING);
        answer.countDown();
        request.join();
        reading.join();
        assertThat(seen).containsExactly("adopted");
    }

    private LiveChanges instance(String name) {
        return new LiveChanges(
                text,
                nanos::get,
                (before, now) -> adopted.add(
                        name + now.all().stream().map(Change::policy).toList()));
    }

    private void after(long span) {
        nanos.addAndGet(span * 1_000_000);
        millis.addAndGet(span);
    }

    @Test
    void aRequestReadsWhatIsOlderThanNineTenthsOfASecond() {
        LiveChanges one = instance("one");
        LiveChanges other = instance("other");
        one.change(now -> now.with(change("p", 0)));
        assertThat(adopted).containsExactly("one[p]");
        after(900);
        other.beforeRequest();
        assertThat(adopted).hasSize(1);
        after(1);
        other.beforeRequest();
        assertThat(adopted).containsExactly("one[p]", "other[p]");
    }

    @Test
    void eachChangeEndsByTheClockOfTheStore() {
        LiveChanges one = instance("one");
        one.change(now -> now.with(change("p", millis.get() + 500)).with(change("q", millis.get() + 800)));
        after(499);
        one.beforeRequest();
        assertThat(adopted).containsExactly("one[p, q]");
        after(1);
        one.beforeRequest();
        after(299);
        one.beforeRequest();
        assertThat(adopted).containsExactly("one[p, q]", "one[q]");
        after(1);
        one.beforeRequest();
        assertThat(adopted).containsExactly("one[p, q]", "one[q]", "one[]");
    }

    @Test
    void twoOperatorsDoNotOverwriteEachOther() {
        LiveChanges one = instance("one");
        LiveChanges other = instance("other");
        one.change(now -> {
            if (now.all().isEmpty()) {
                other.change(theirs -> theirs.with(change("theirs", 0))); // between reading and writing
            }
            return now.with(change("ours", 0));
        });
        assertThat(one.present().all()).extracting(Change::policy).containsExactly("theirs", "ours");
    }
}
