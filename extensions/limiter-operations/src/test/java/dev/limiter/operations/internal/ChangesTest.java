package dev.limiter.operations.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The text that instances share, and how one of them follows it. */
@Tag("store")
class ChangesTest {
    private static final long MINUTE_MILLIS = 60_000;
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
        List<Change> allButOne = IntStream.range(1, Changes.MOST_CALLERS)
                .mapToObj(i -> caller(Integer.toString(i)))
                .toList();
        Changes full = new Changes("1-x", allButOne).with(caller("last"));
        assertThat(full.all()).hasSize(Changes.MOST_CALLERS);
        assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> full.with(caller("more")));
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> Changes.NONE.with(
                        new Change(Change.OF_POLICY, "p", "", Map.of("limit", "5".repeat(300_000)), 0, 1, "", "")));
    }

    @Test
    void whatOnlyTellsOfThePastMakesRoom() {
        Changes changes = Changes.NONE.with(change("p", 0));
        for (int i = 0; i < 20; i++) {
            changes = changes.with(new Change(
                    Change.TAKEN_BACK,
                    "policy",
                    "digest " + i,
                    Map.of(),
                    1L << 41,
                    1,
                    "o".repeat(30_000),
                    "taken back"));
        }
        assertThat(changes.all().get(1).partition()).isEqualTo("digest 7");
        assertThat(changes.find(Change.TAKEN_BACK, "policy", "digest 19")).isPresent();
        assertThat(changes.find(Change.OF_POLICY, "p", "")).isPresent();
    }

    private static Change caller(String partition) {
        String reason = "because of ticket 4711, until the contract is renewed";
        return new Change(
                Change.OF_CALLER, "policy", partition, Map.of("limit", "500"), 1L << 41, 1, "operator", reason);
    }

    /** Else MicroProfile Config finds nothing, and limits are those of the annotations. */
    @Test
    void theReaderFindsTheConfigurationOfTheApplication() throws Exception {
        CompletableFuture<ClassLoader> found = new CompletableFuture<>();
        SharedText told = (SharedText) Proxy.newProxyInstance(
                SharedText.class.getClassLoader(), new Class<?>[] {SharedText.class}, (proxy, method, arguments) -> {
                    if (Thread.currentThread().getName().equals("limiter-operations")) {
                        found.complete(Thread.currentThread().getContextClassLoader());
                    }
                    return method.invoke(text, arguments);
                });
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(new ClassLoader(null) {});
        try (LiveChanges changes = new LiveChanges(told, nanos::get, 0, (old, present) -> {})) {
            changes.start();
            assertThat(found.get(1, TimeUnit.MINUTES)).isSameAs(LiveChanges.class.getClassLoader());
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
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
        LiveChanges live = new LiveChanges(slow, nanos::get, MINUTE_MILLIS, (before, now) -> adopted.add("adopted"));
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
        Awaitility.await().until(() -> request.getState() == Thread.State.TIMED_WAITING);
        answer.countDown();
        request.join();
        reading.join();
        assertThat(seen).containsExactly("adopted");
    }

    private LiveChanges instance(String name) {
        return new LiveChanges(
                text,
                nanos::get,
                MINUTE_MILLIS,
                (before, now) -> adopted.add(
                        name + now.all().stream().map(Change::policy).toList()));
    }

    private void after(long span) {
        nanos.addAndGet(span * 1_000_000);
        millis.addAndGet(span);
    }

    /** Such as one that was written by hand, or by a machine whose clock stood far ahead. */
    @ParameterizedTest
    @ValueSource(ints = {13, 15, 18, 19, 40})
    void afterAVersionOfManyNinesChangesGoOn(int nines) {
        LiveChanges one = instance("one");
        LiveChanges other = instance("other");
        text.write("", "9".repeat(nines) + "-x\n" + change("p", 0).line());
        after(1_000);
        other.beforeRequest();
        one.change(now -> now.with(change("q", 0)));
        after(1_000);
        other.beforeRequest();
        other.change(now -> now.without(Change.OF_POLICY, "p", ""));
        after(1_000);
        one.beforeRequest();
        for (LiveChanges each : List.of(one, other)) {
            assertThat(each.present().all()).extracting(Change::policy).containsExactly("q");
        }
    }

    /** Both find an empty store. The first has the newer text. */
    @Test
    void ofTwoInstancesThatWriteAgainTheNewerTextWins() {
        LiveChanges one = instance("one");
        AtomicBoolean interrupts = new AtomicBoolean();
        SharedText interrupted = (SharedText) Proxy.newProxyInstance(
                SharedText.class.getClassLoader(), new Class<?>[] {SharedText.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("write") && interrupts.getAndSet(false)) {
                        one.beforeRequest();
                    }
                    return method.invoke(text, arguments);
                });
        LiveChanges other = new LiveChanges(
                interrupted,
                nanos::get,
                MINUTE_MILLIS,
                (before, now) -> adopted.add("other " + now.all().size()));
        one.change(now -> now.with(change("p", 0)));
        after(1_000);
        other.beforeRequest();
        one.change(now -> now.with(change("q", 0)));
        text.write(one.present().version(), "");
        after(1_000);
        interrupts.set(true);
        other.beforeRequest();
        assertThat(adopted).containsExactly("one[p]", "other 1", "one[p, q]", "other 2");
    }

    /** Configuration that hangs while a change is put in force. */
    @Test
    void aRequestDoesNotWaitForWhatPutsChangesInForce() throws InterruptedException {
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        AtomicBoolean over = new AtomicBoolean();
        instance("other").change(now -> now.with(change("p", 0)));
        LiveChanges live = new LiveChanges(text, nanos::get, 1, (before, now) -> {
            hangs.countDown();
            try {
                over.set(!end.await(1, TimeUnit.MINUTES));
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        });
        after(1_000);
        Thread first = new Thread(live::beforeRequest);
        first.start();
        hangs.await();
        live.beforeRequest();
        live.beforeRequest();
        assertThat(over).isFalse();
        end.countDown();
        first.join();
        assertThat(live.present().all()).hasSize(1);
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
