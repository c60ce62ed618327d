package dev.limiter.jaxrs.internal.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.Enforcement;
import dev.limiter.OnStoreFailure;
import dev.limiter.PartitionKey;
import dev.limiter.Refill;
import dev.limiter.jaxrs.LimitNumbers;
import dev.limiter.jaxrs.LimitNumbers.Numbers;
import dev.limiter.jaxrs.LogLines;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.jaxrs.internal.policy.DeclaredWindow;
import dev.limiter.jaxrs.internal.policy.EffectivePolicy;
import dev.limiter.jaxrs.internal.policy.PolicyDeclaration;
import dev.limiter.jaxrs.internal.policy.PolicyVersion;
import dev.limiter.jaxrs.internal.policy.ReloadablePolicy;
import dev.limiter.jaxrs.internal.signals.NumbersFailure;
import dev.limiter.jaxrs.internal.signals.RequestSignals;
import dev.limiter.spi.InvalidSettingException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers of partitions in virtual time. The test runs the questions when it chooses. */
class ContractNumbersTest {
    private static final long ANNOTATION = 10;
    private static final long CACHE = TimeUnit.SECONDS.toNanos(10);
    private static final PartitionKey ACME = PartitionKey.of("user", "acme");

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - CACHE); // overflows on the way
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private final List<NumbersFailure> failures = new ArrayList<>();
    private final AtomicInteger questions = new AtomicInteger();
    private final ReloadablePolicy policy = policy(Algorithm.GCRA);
    private boolean atOnce = true;
    private boolean busy;
    private LimitNumbers bean = partition -> Numbers.of(250);

    @Test
    void beanIsAskedOnceForTheCacheTime() {
        PolicyNumbers numbers = numbers(policy);
        assertThat(limit(numbers)).isEqualTo(250);
        bean = partition -> Numbers.of(400);
        nanos.addAndGet(CACHE - 1);
        assertThat(limit(numbers)).isEqualTo(250);
        nanos.addAndGet(1);
        assertThat(limit(numbers)).isEqualTo(400);
        assertThat(questions).hasValue(2);
    }

    @Test
    void eachPartitionHasItsNumbers() {
        PolicyNumbers numbers = numbers(policy);
        bean = partition -> partition.value("user").equals("acme") ? Numbers.of(250) : Numbers.of(100);
        assertThat(limit(numbers)).isEqualTo(250);
        assertThat(numbers.of(PartitionKey.of("user", "zoo")).policy().limit()).isEqualTo(100);
        assertThat(limit(numbers)).isEqualTo(250);
    }

    @Test
    void beanSeesPolicyAndValuesOfTheKey() {
        List<LimitNumbers.Partition> seen = new ArrayList<>();
        bean = partition -> {
            seen.add(partition);
            return null;
        };
        numbers(policy)
                .of(PartitionKey.builder()
                        .add("literal", "a:1")
                        .add("header:X-Device~fold", "4:none")
                        .add("user", "")
                        .build());
        assertThat(seen)
                .containsExactly(new LimitNumbers.Partition("plan", Map.of("header:X-Device", "4:none", "user", "")));
        assertThat(seen.get(0).toString()).contains("plan").doesNotContain("none");
    }

    @Test
    void nullIsTheAnnotationAndUnlimitedIsNotCounted() {
        PolicyNumbers numbers = numbers(policy);
        bean = partition -> null;
        assertThat(numbers.of(ACME)).isSameAs(policy.withoutTier());
        bean = partition -> Numbers.ofUnlimited();
        nanos.addAndGet(CACHE);
        assertThat(numbers.of(ACME)).isNull();
        assertThat(failures).isEmpty();
    }

    @Test
    void burstOfTheAnnotationHoldsUnlessTheBeanHasOne() {
        PolicyNumbers numbers = numbers(policy);
        assertThat(numbers.of(ACME).policy().burst()).isEqualTo(5);
        bean = partition -> Numbers.of(250, 7);
        nanos.addAndGet(CACHE);
        assertThat(numbers.of(ACME).policy().burst()).isEqualTo(7);
    }

    @Test
    void annotationHoldsIfTheFirstAnswerFails() {
        PolicyNumbers numbers = numbers(policy);
        bean = partition -> {
            throw new IllegalStateException("no contract of " + partition.value("user"));
        };
        assertThat(limit(numbers)).isEqualTo(ANNOTATION);
        assertThat(limit(numbers)).isEqualTo(ANNOTATION);
        assertThat(failures).containsExactly(NumbersFailure.THROWN);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        bean = partition -> Numbers.of(250);
        assertThat(limit(numbers)).isEqualTo(250);
    }

    @Test
    void lastKnownNumbersHoldWhileTheBeanFails() {
        PolicyNumbers numbers = numbers(policy);
        limit(numbers);
        bean = partition -> {
            throw new NoClassDefFoundError("a driver");
        };
        nanos.addAndGet(CACHE);
        assertThat(limit(numbers)).isEqualTo(250);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertThat(limit(numbers)).isEqualTo(250);
        assertThat(failures).containsExactly(NumbersFailure.THROWN, NumbersFailure.THROWN);
    }

    @Test
    void nonsenseIsNotUsed() {
        for (Numbers nonsense : List.of(
                Numbers.of(0), Numbers.of(-1), Numbers.of(1L << 31), Numbers.of(5, -1), Numbers.of(5, 1L << 31))) {
            failures.clear();
            bean = partition -> nonsense;
            assertThat(limit(numbers(policy))).isEqualTo(ANNOTATION);
            assertThat(failures).containsExactly(NumbersFailure.INVALID);
        }
        failures.clear();
        bean = partition -> Numbers.of(5, 3);
        assertThat(limit(numbers(policy(Algorithm.FIXED_WINDOW)))).isEqualTo(ANNOTATION);
        assertThat(failures).containsExactly(NumbersFailure.INVALID);
    }

    @Test
    void requestsDoNotWaitAgainWhileAQuestionHangs() {
        atOnce = false;
        PolicyNumbers numbers = numbers(policy);
        assertThat(limit(numbers)).isEqualTo(ANNOTATION);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(5));
        for (int i = 0; i < 100; i++) {
            assertThat(limit(numbers)).isEqualTo(ANNOTATION);
        }
        assertThat(failures).containsExactly(NumbersFailure.SLOW);
        assertThat(waiting).hasSize(1);
        waiting.remove().run();
        assertThat(limit(numbers)).isEqualTo(250);
        nanos.addAndGet(CACHE - TimeUnit.SECONDS.toNanos(5) - 1);
        assertThat(limit(numbers)).isEqualTo(250);
        assertThat(waiting).isEmpty();
        nanos.addAndGet(1); // the bean may have read the numbers when it was asked
        limit(numbers);
        assertThat(waiting).hasSize(1);
    }

    @Test
    void interruptedRequestDoesNotWaitAndStaysInterrupted() {
        atOnce = false;
        NumbersLoader patient = new NumbersLoader(
                this::run,
                nanos::get,
                CACHE,
                TimeUnit.MINUTES.toNanos(1),
                new NumbersFailures(this::signals, nanos::get));
        PolicyNumbers numbers = new PolicyNumbers(policy, bean(), new NumbersCache(), patient);
        Thread.currentThread().interrupt();
        assertThat(limit(numbers)).isEqualTo(ANNOTATION);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(failures).as("the bean is not slow").isEmpty();
        waiting.remove().run();
        assertThat(limit(numbers)).isEqualTo(250);
    }

    /** A JVM leaves out the stack trace of an exception that it throws often. */
    @Test
    void exceptionWithoutAStackTraceIsNamed() {
        bean = partition -> {
            throw new RuntimeException("no contract of acme", null, false, false) {};
        };
        try (LogLines log = new LogLines("dev.limiter.numbers")) {
            assertThat(limit(numbers(policy))).isEqualTo(ANNOTATION);
            assertThat(failures).containsExactly(NumbersFailure.THROWN);
            assertThat(log.taken())
                    .singleElement()
                    .asString()
                    .contains("thrown, " + ContractNumbersTest.class.getName() + "$1;")
                    .doesNotContain("acme");
        }
    }

    /** Requests come each 100 ms for 5 s. Only the first one waits. */
    @Test
    void eachRequestReturnsWhileTheBeanHangsForFiveSeconds() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        bean = partition -> {
            begun.countDown();
            awaitAll(end);
            return Numbers.of(250);
        };
        try (LoaderThreads threads = new LoaderThreads(1, nanos::get)) {
            NumbersLoader hanging = new NumbersLoader(
                    threads,
                    nanos::get,
                    CACHE,
                    TimeUnit.MILLISECONDS.toNanos(1),
                    new NumbersFailures(this::signals, nanos::get));
            PolicyNumbers numbers = new PolicyNumbers(policy, bean(), new NumbersCache(), hanging);
            for (int i = 0; i <= 50; i++) {
                assertThat(limit(numbers)).isEqualTo(ANNOTATION);
                nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(100));
            }
            begun.await();
            assertThat(end.getCount()).as("it still hangs").isEqualTo(1);
            assertThat(failures).containsExactly(NumbersFailure.SLOW);
            assertThat(questions).hasValue(1);
            end.countDown();
            while (limit(numbers) != 250) {
                Thread.onSpinWait();
            }
        }
    }

    /** More than the default. */
    @Test
    void asManyCallsRunAtOnceAsAreConfigured() throws Exception {
        int calls = 9;
        CountDownLatch atOnce = new CountDownLatch(calls);
        bean = partition -> {
            atOnce.countDown();
            awaitAll(atOnce);
            return Numbers.of(250);
        };
        ExecutorService callers = Executors.newFixedThreadPool(calls);
        MapSettings settings = new MapSettings().with("limiter.numbers.threads", "9");
        try (ContractNumbers contracts = new ContractNumbers(settings, System::nanoTime, this::signals)) {
            PolicyNumbers numbers = contracts.of(policy, bean());
            for (int i = 0; i < calls; i++) {
                PartitionKey key = PartitionKey.of("user", "customer-" + i);
                callers.execute(() -> numbers.of(key));
            }
            assertThat(atOnce.await(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            callers.shutdownNow();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1001", "many"})
    void aNumberOfThreadsThatCannotBeIsRefused(String threads) {
        MapSettings settings = new MapSettings().with("limiter.numbers.threads", threads);
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> new ContractNumbers(settings, System::nanoTime, this::signals))
                .withMessageStartingWith("limiter.numbers.threads: ");
    }

    /** 200 ms for an answer, and then a pause as long as the cache time. */
    @Test
    void answerThatTakesLongerThanTheCacheTimeHoldsForAPause() {
        long cache = TimeUnit.MILLISECONDS.toNanos(100);
        NumbersLoader quick =
                new NumbersLoader(this::run, nanos::get, cache, 0, new NumbersFailures(this::signals, nanos::get));
        PolicyNumbers numbers = new PolicyNumbers(policy, bean(), new NumbersCache(), quick);
        bean = partition -> {
            nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(200));
            return Numbers.of(250);
        };
        assertThat(limit(numbers)).isEqualTo(250);
        bean = partition -> Numbers.of(400);
        nanos.addAndGet(cache - 1);
        assertThat(limit(numbers)).isEqualTo(250);
        nanos.addAndGet(1);
        assertThat(limit(numbers)).isEqualTo(400);
    }

    @Test
    void annotationHoldsWithoutAWaitIfAllThreadsHang() {
        busy = true;
        PolicyNumbers numbers = numbers(policy);
        assertThat(limit(numbers)).isEqualTo(ANNOTATION);
        busy = false;
        nanos.addAndGet(NumbersLoader.MAX_WAIT_NANOS - 1);
        assertThat(limit(numbers)).isEqualTo(ANNOTATION);
        assertThat(failures).containsExactly(NumbersFailure.BUSY);
        nanos.addAndGet(1);
        assertThat(limit(numbers)).isEqualTo(250);
    }

    @Test
    void partitionsAndTheirTextAreBounded() {
        NumbersCache table = new NumbersCache();
        PolicyNumbers numbers = new PolicyNumbers(policy, bean(), table, loader(0));
        numbers.of(ACME);
        for (int i = 0; i < 3 * NumbersCache.MOST_PARTITIONS; i++) {
            numbers.of(PartitionKey.of("user", "made-up-" + i));
            numbers.of(ACME);
        }
        assertThat(table.size()).isEqualTo(NumbersCache.MOST_PARTITIONS);
        assertThat(questions).hasValue(1 + 3 * NumbersCache.MOST_PARTITIONS);
        String longValue = "x".repeat(1_000);
        for (int i = 0; i < NumbersCache.MOST_PARTITIONS; i++) {
            numbers.of(PartitionKey.of("user", i + longValue));
        }
        assertThat(table.size()).isBetween(3_900, 4_000);
    }

    @Test
    void simultaneousFirstRequestsAskOnce() throws Exception {
        CountDownLatch all = new CountDownLatch(1_000);
        AtomicInteger asked = new AtomicInteger();
        try (LoaderThreads threads = new LoaderThreads(8, System::nanoTime)) {
            NumbersLoader patient = new NumbersLoader(
                    threads,
                    System::nanoTime,
                    CACHE,
                    TimeUnit.MINUTES.toNanos(1),
                    new NumbersFailures(() -> signals(), System::nanoTime));
            LimitNumbers slow = partition -> {
                asked.incrementAndGet();
                awaitAll(all);
                return Numbers.of(250);
            };
            PolicyNumbers numbers = new PolicyNumbers(
                    policy, new NumbersBean("contracts", new Lazy<>(() -> slow)), new NumbersCache(), patient);
            ExecutorService callers = Executors.newFixedThreadPool(1_000);
            try {
                Callable<Long> call = () -> {
                    all.countDown();
                    return limit(numbers);
                };
                List<Future<Long>> limits = new ArrayList<>();
                for (int i = 0; i < 1_000; i++) {
                    limits.add(callers.submit(call));
                }
                for (Future<Long> each : limits) {
                    assertThat(each.get(1, TimeUnit.MINUTES)).isEqualTo(250);
                }
            } finally {
                callers.shutdownNow();
            }
        }
        assertThat(asked).hasValue(1);
        assertThat(failures).isEmpty();
    }

    @Test
    void threadsThatHangRejectFurtherQuestions() throws Exception {
        CountDownLatch begun = new CountDownLatch(8);
        CountDownLatch end = new CountDownLatch(1);
        try (LoaderThreads threads = new LoaderThreads(8, nanos::get)) {
            for (int i = 0; i < 8; i++) {
                threads.execute(() -> {
                    begun.countDown();
                    awaitAll(end);
                });
            }
            begun.await();
            CountDownLatch queued = new CountDownLatch(1);
            threads.execute(queued::countDown); // they may be about to end
            nanos.addAndGet(NumbersLoader.MAX_WAIT_NANOS + 1);
            assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> threads.execute(() -> {}));
            end.countDown();
            assertThat(queued.await(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    /** Loads of 20 ms on one thread: 1 that runs and 11 that wait are over in 240 ms. */
    @Test
    void burstOfMadeUpKeysWaitsOnlyIfItCanBeAnswered() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger answered = new AtomicInteger();
        try (LoaderThreads threads = new LoaderThreads(1, nanos::get)) {
            CountDownLatch queued = new CountDownLatch(1);
            threads.execute(() -> {
                awaitAll(queued);
                nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(20));
            });
            threads.execute(() -> {
                begun.countDown();
                awaitAll(end);
            });
            queued.countDown();
            begun.await(); // so the first load is over
            int accepted = 0;
            for (int i = 0; i < 1_000; i++) {
                accepted += isAccepted(threads, answered::incrementAndGet) ? 1 : 0;
            }
            assertThat(accepted).isEqualTo(11);
            end.countDown();
            while (answered.get() < accepted) {
                Thread.onSpinWait();
            }
            assertThat(isAccepted(threads, () -> {})).isTrue();
        }
    }

    /** Else its numbers would never come into force. */
    @Test
    void beanThatAlwaysTakesTooLongIsStillAsked() throws Exception {
        try (LoaderThreads threads = new LoaderThreads(1, nanos::get)) {
            for (int i = 0; i < 3; i++) {
                CountDownLatch over = new CountDownLatch(1);
                Runnable load = () -> {
                    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
                    over.countDown();
                };
                assertThat(isAccepted(threads, load)).isTrue();
                over.await();
            }
        }
    }

    private static boolean isAccepted(LoaderThreads threads, Runnable load) {
        try {
            threads.execute(load);
            return true;
        } catch (RejectedExecutionException late) {
            return false;
        }
    }

    @Test
    void questionsRunWithTheClassLoaderOfTheirRequest() throws Exception {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        ClassLoader application = new ClassLoader(before) {};
        List<ClassLoader> seen = new ArrayList<>();
        CountDownLatch over = new CountDownLatch(1);
        try (LoaderThreads threads = new LoaderThreads(8, nanos::get)) {
            Thread.currentThread().setContextClassLoader(application);
            threads.execute(() -> {
                seen.add(Thread.currentThread().getContextClassLoader());
                over.countDown();
            });
            over.await();
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
        assertThat(seen).containsExactly(application);
    }

    private static void awaitAll(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private static long limit(PolicyNumbers numbers) {
        EffectivePolicy policy = numbers.of(ACME);
        return policy.policy().limit();
    }

    private PolicyNumbers numbers(ReloadablePolicy of) {
        return new PolicyNumbers(of, bean(), new NumbersCache(), loader(0));
    }

    private NumbersBean bean() {
        return new NumbersBean("contracts", new Lazy<>(() -> partition -> {
            questions.incrementAndGet();
            return bean.of(partition);
        }));
    }

    private NumbersLoader loader(long maxWaitNanos) {
        return new NumbersLoader(
                this::run, nanos::get, CACHE, maxWaitNanos, new NumbersFailures(this::signals, nanos::get));
    }

    private void run(Runnable question) {
        if (busy) {
            throw new RejectedExecutionException("all threads hang");
        }
        if (atOnce) {
            question.run();
        } else {
            waiting.add(question);
        }
    }

    private RequestSignals signals() {
        return new RequestSignals() {
            @Override
            public void numbersFailed(String policy, NumbersFailure failure) {
                failures.add(failure);
            }
        };
    }

    private static ReloadablePolicy policy(Algorithm algorithm) {
        PolicyDeclaration declaration = new PolicyDeclaration(
                "plan",
                algorithm,
                ANNOTATION,
                DeclaredWindow.of(Duration.ofMinutes(1)),
                algorithm.accepts(Algorithm.Member.BURST) ? 5 : 0,
                Refill.SMOOTH,
                false,
                null,
                false,
                Enforcement.ENFORCED,
                Map.of(),
                true,
                OnStoreFailure.CONFIGURED);
        return new ReloadablePolicy(declaration, PolicyVersion.of(declaration, true, true, List.of()));
    }
}
