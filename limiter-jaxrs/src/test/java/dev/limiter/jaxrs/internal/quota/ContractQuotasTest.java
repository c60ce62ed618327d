package dev.limiter.jaxrs.internal.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.internal.algorithm.PolicyMembers;
import dev.limiter.jaxrs.LogLines;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.QuotaSource;
import dev.limiter.jaxrs.QuotaSource.Quota;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.jaxrs.internal.policy.DeclaredWindow;
import dev.limiter.jaxrs.internal.policy.EffectivePolicy;
import dev.limiter.jaxrs.internal.policy.PolicyDeclaration;
import dev.limiter.jaxrs.internal.policy.PolicyVersion;
import dev.limiter.jaxrs.internal.policy.ReloadablePolicy;
import dev.limiter.jaxrs.internal.policy.StatedByTest;
import dev.limiter.jaxrs.internal.signals.QuotaFailure;
import dev.limiter.jaxrs.internal.signals.RequestSignals;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.testkit.threads.ManyThreads;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Quotas of partitions in virtual time. The test runs the questions when it chooses. */
class ContractQuotasTest {
    private static final long ANNOTATION = 10;
    private static final long CACHE = TimeUnit.SECONDS.toNanos(10);
    private static final PartitionKey ACME = PartitionKey.of("user", "acme");

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - CACHE); // overflows on the way
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private final List<QuotaFailure> failures = new ArrayList<>();
    private final AtomicInteger questions = new AtomicInteger();
    private final ReloadablePolicy policy = policy(Algorithm.GCRA);
    private boolean atOnce = true;
    private boolean busy;
    private QuotaSource bean = partition -> Quota.of(250);

    @Test
    void beanIsAskedOnceForTheCacheTime() {
        ReloadablePolicy sold = sold(policy);
        assertThat(limit(sold)).isEqualTo(250);
        bean = partition -> Quota.of(400);
        nanos.addAndGet(CACHE - 1);
        assertThat(limit(sold)).isEqualTo(250);
        nanos.addAndGet(1);
        assertThat(limit(sold)).isEqualTo(400);
        assertThat(questions).hasValue(2);
    }

    @Test
    void eachPartitionHasItsQuota() {
        ReloadablePolicy sold = sold(policy);
        bean = partition -> partition.value("user").equals("acme") ? Quota.of(250) : Quota.of(100);
        assertThat(limit(sold)).isEqualTo(250);
        assertThat(sold.of(StatedByTest.of(null, PartitionKey.of("user", "zoo")))
                        .policy()
                        .limit())
                .isEqualTo(100);
        assertThat(limit(sold)).isEqualTo(250);
    }

    @Test
    void beanSeesPolicyAndValuesOfTheKey() {
        List<QuotaSource.Partition> seen = new ArrayList<>();
        bean = partition -> {
            seen.add(partition);
            return null;
        };
        sold(policy)
                .of(StatedByTest.of(
                        null,
                        PartitionKey.builder()
                                .add("literal", "a:1")
                                .add("header:X-Device~fold", "4:none")
                                .add("user", "")
                                .build()));
        assertThat(seen)
                .containsExactly(new QuotaSource.Partition("plan", Map.of("header:X-Device", "4:none", "user", "")));
        assertThat(seen.get(0).toString()).contains("plan").doesNotContain("none");
    }

    @Test
    void nullIsTheAnnotationAndUnlimitedIsNotCounted() {
        ReloadablePolicy sold = sold(policy);
        bean = partition -> null;
        assertThat(sold.of(StatedByTest.of(null, ACME)))
                .isSameAs(policy.version().base());
        bean = partition -> Quota.ofUnlimited();
        nanos.addAndGet(CACHE);
        assertThat(sold.of(StatedByTest.of(null, ACME))).isNull();
        assertThat(failures).isEmpty();
    }

    @Test
    void burstOfTheAnnotationHoldsUnlessTheBeanHasOne() {
        ReloadablePolicy sold = sold(policy);
        assertThat(sold.of(StatedByTest.of(null, ACME)).policy().burst()).isEqualTo(5);
        bean = partition -> Quota.of(250, 7);
        nanos.addAndGet(CACHE);
        assertThat(sold.of(StatedByTest.of(null, ACME)).policy().burst()).isEqualTo(7);
    }

    @Test
    void annotationHoldsIfTheFirstAnswerFails() {
        ReloadablePolicy sold = sold(policy);
        bean = partition -> {
            throw new IllegalStateException("no contract of " + partition.value("user"));
        };
        assertThat(limit(sold)).isEqualTo(ANNOTATION);
        assertThat(limit(sold)).isEqualTo(ANNOTATION);
        assertThat(failures).containsExactly(QuotaFailure.THROWN);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        bean = partition -> Quota.of(250);
        assertThat(limit(sold)).isEqualTo(250);
    }

    @Test
    void lastKnownQuotaHoldsWhileTheBeanFails() {
        ReloadablePolicy sold = sold(policy);
        limit(sold);
        bean = partition -> {
            throw new NoClassDefFoundError("a driver");
        };
        nanos.addAndGet(CACHE);
        assertThat(limit(sold)).isEqualTo(250);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertThat(limit(sold)).isEqualTo(250);
        assertThat(failures).containsExactly(QuotaFailure.THROWN, QuotaFailure.THROWN);
    }

    @Test
    void nonsenseIsNotUsed() {
        for (Quota nonsense :
                List.of(Quota.of(0), Quota.of(-1), Quota.of(1L << 31), Quota.of(5, -1), Quota.of(5, 1L << 31))) {
            failures.clear();
            bean = partition -> nonsense;
            assertThat(limit(sold(policy))).isEqualTo(ANNOTATION);
            assertThat(failures).containsExactly(QuotaFailure.INVALID);
        }
        failures.clear();
        bean = partition -> Quota.of(5, 3);
        assertThat(limit(sold(policy(Algorithm.FIXED_WINDOW)))).isEqualTo(ANNOTATION);
        assertThat(failures).containsExactly(QuotaFailure.INVALID);
    }

    @Test
    void requestsDoNotWaitAgainWhileAQuestionHangs() {
        atOnce = false;
        ReloadablePolicy sold = sold(policy);
        assertThat(limit(sold)).isEqualTo(ANNOTATION);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(5));
        for (int i = 0; i < 100; i++) {
            assertThat(limit(sold)).isEqualTo(ANNOTATION);
        }
        assertThat(failures).containsExactly(QuotaFailure.SLOW);
        assertThat(waiting).hasSize(1);
        waiting.remove().run();
        assertThat(limit(sold)).isEqualTo(250);
        nanos.addAndGet(CACHE - TimeUnit.SECONDS.toNanos(5) - 1);
        assertThat(limit(sold)).isEqualTo(250);
        assertThat(waiting).isEmpty();
        nanos.addAndGet(1); // the bean may have read the quota when it was asked
        limit(sold);
        assertThat(waiting).hasSize(1);
    }

    @Test
    void interruptedRequestDoesNotWaitAndStaysInterrupted() {
        atOnce = false;
        ContractQuotas patient =
                new ContractQuotas(this::run, nanos::get, CACHE, TimeUnit.MINUTES.toNanos(1), this::signals);
        ReloadablePolicy sold = sold(policy, patient);
        Thread.currentThread().interrupt();
        assertThat(limit(sold)).isEqualTo(ANNOTATION);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(failures).as("the bean is not slow").isEmpty();
        waiting.remove().run();
        assertThat(limit(sold)).isEqualTo(250);
    }

    /** A JVM leaves out the stack trace of an exception that it throws often. */
    @Test
    void exceptionWithoutAStackTraceIsNamed() {
        bean = partition -> {
            throw new RuntimeException("no contract of acme", null, false, false) {};
        };
        try (LogLines log = new LogLines("dev.limiter.quota")) {
            assertThat(limit(sold(policy))).isEqualTo(ANNOTATION);
            assertThat(failures).containsExactly(QuotaFailure.THROWN);
            assertThat(log.taken())
                    .singleElement()
                    .asString()
                    .contains("thrown, " + ContractQuotasTest.class.getName() + "$1;")
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
            return Quota.of(250);
        };
        try (QuotaThreads threads = new QuotaThreads(1, nanos::get)) {
            ContractQuotas hanging =
                    new ContractQuotas(threads, nanos::get, CACHE, TimeUnit.MILLISECONDS.toNanos(1), this::signals);
            ReloadablePolicy sold = sold(policy, hanging);
            for (int i = 0; i <= 50; i++) {
                assertThat(limit(sold)).isEqualTo(ANNOTATION);
                nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(100));
            }
            begun.await();
            assertThat(end.getCount()).as("it still hangs").isEqualTo(1);
            assertThat(failures).containsExactly(QuotaFailure.SLOW);
            assertThat(questions).hasValue(1);
            end.countDown();
            while (limit(sold) != 250) {
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
            return Quota.of(250);
        };
        ExecutorService callers = Executors.newFixedThreadPool(calls);
        MapSettings settings = new MapSettings().with("limiter.quota.threads", "9");
        try (ContractQuotas contracts = new ContractQuotas(settings, System::nanoTime, this::signals)) {
            ReloadablePolicy sold = sold(policy, contracts);
            for (int i = 0; i < calls; i++) {
                PartitionKey key = PartitionKey.of("user", "customer-" + i);
                callers.execute(() -> sold.of(StatedByTest.of(null, key)));
            }
            assertThat(atOnce.await(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            callers.shutdownNow();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1001", "many"})
    void aNumberOfThreadsThatCannotBeIsRefused(String threads) {
        MapSettings settings = new MapSettings().with("limiter.quota.threads", threads);
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> new ContractQuotas(settings, System::nanoTime, this::signals))
                .withMessageStartingWith("limiter.quota.threads: ");
    }

    /** 200 ms for an answer, and then a pause as long as the cache time. */
    @Test
    void answerThatTakesLongerThanTheCacheTimeHoldsForAPause() {
        long cache = TimeUnit.MILLISECONDS.toNanos(100);
        ContractQuotas quick = new ContractQuotas(this::run, nanos::get, cache, 0, this::signals);
        ReloadablePolicy sold = sold(policy, quick);
        bean = partition -> {
            nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(200));
            return Quota.of(250);
        };
        assertThat(limit(sold)).isEqualTo(250);
        bean = partition -> Quota.of(400);
        nanos.addAndGet(cache - 1);
        assertThat(limit(sold)).isEqualTo(250);
        nanos.addAndGet(1);
        assertThat(limit(sold)).isEqualTo(400);
    }

    @Test
    void annotationHoldsWithoutAWaitIfAllThreadsHang() {
        busy = true;
        ReloadablePolicy sold = sold(policy);
        assertThat(limit(sold)).isEqualTo(ANNOTATION);
        busy = false;
        nanos.addAndGet(QuotaThreads.MAX_WAIT_NANOS - 1);
        assertThat(limit(sold)).isEqualTo(ANNOTATION);
        assertThat(failures).containsExactly(QuotaFailure.BUSY);
        nanos.addAndGet(1);
        assertThat(limit(sold)).isEqualTo(250);
    }

    @Test
    void partitionsAndTheirTextAreBounded() {
        ContractQuotas table = direct();
        ReloadablePolicy sold = sold(policy, table);
        sold.of(StatedByTest.of(null, ACME));
        for (int i = 0; i < 3 * ContractQuotas.MOST_PARTITIONS; i++) {
            sold.of(StatedByTest.of(null, PartitionKey.of("user", "made-up-" + i)));
            sold.of(StatedByTest.of(null, ACME));
        }
        assertThat(table.size()).isEqualTo(ContractQuotas.MOST_PARTITIONS);
        assertThat(questions).hasValue(1 + 3 * ContractQuotas.MOST_PARTITIONS);
        String longValue = "x".repeat(1_000);
        for (int i = 0; i < ContractQuotas.MOST_PARTITIONS; i++) {
            sold.of(StatedByTest.of(null, PartitionKey.of("user", i + longValue)));
        }
        assertThat(table.size()).isBetween(3_900, 4_000);
    }

    @Test
    void simultaneousFirstRequestsAskOnce() throws Exception {
        CountDownLatch all = new CountDownLatch(1_000);
        AtomicInteger asked = new AtomicInteger();
        try (QuotaThreads threads = new QuotaThreads(8, System::nanoTime)) {
            ContractQuotas patient =
                    new ContractQuotas(threads, System::nanoTime, CACHE, TimeUnit.MINUTES.toNanos(1), () -> signals());
            QuotaSource slow = partition -> {
                asked.incrementAndGet();
                awaitAll(all);
                return Quota.of(250);
            };
            policy.quotaFrom(new QuotaBean("contracts", new Lazy<>(() -> slow), patient));
            assertThat(ManyThreads.call(1_000, () -> {
                        all.countDown();
                        return limit(policy);
                    }))
                    .containsOnly(250L);
        }
        assertThat(asked).hasValue(1);
        assertThat(failures).isEmpty();
    }

    @Test
    void threadsThatHangRejectFurtherQuestions() throws Exception {
        CountDownLatch begun = new CountDownLatch(8);
        CountDownLatch end = new CountDownLatch(1);
        try (QuotaThreads threads = new QuotaThreads(8, nanos::get)) {
            for (int i = 0; i < 8; i++) {
                threads.execute(() -> {
                    begun.countDown();
                    awaitAll(end);
                });
            }
            begun.await();
            CountDownLatch queued = new CountDownLatch(1);
            threads.execute(queued::countDown); // they may be about to end
            nanos.addAndGet(QuotaThreads.MAX_WAIT_NANOS + 1);
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
        try (QuotaThreads threads = new QuotaThreads(1, nanos::get)) {
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

    /** Else its quota would never come into force. */
    @Test
    void beanThatAlwaysTakesTooLongIsStillAsked() throws Exception {
        try (QuotaThreads threads = new QuotaThreads(1, nanos::get)) {
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

    private static boolean isAccepted(QuotaThreads threads, Runnable load) {
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
        try (QuotaThreads threads = new QuotaThreads(8, nanos::get)) {
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

    private static long limit(ReloadablePolicy sold) {
        EffectivePolicy policy = sold.of(StatedByTest.of(null, ACME));
        return policy.policy().limit();
    }

    private ReloadablePolicy sold(ReloadablePolicy policy) {
        return sold(policy, direct());
    }

    private ReloadablePolicy sold(ReloadablePolicy policy, ContractQuotas contracts) {
        Lazy<QuotaSource> counted = new Lazy<>(() -> partition -> {
            questions.incrementAndGet();
            return bean.of(partition);
        });
        policy.quotaFrom(new QuotaBean("contracts", counted, contracts));
        return policy;
    }

    private ContractQuotas direct() {
        return new ContractQuotas(this::run, nanos::get, CACHE, 0, this::signals);
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
            public void quotaFailed(String policy, QuotaFailure failure) {
                failures.add(failure);
            }
        };
    }

    private static ReloadablePolicy policy(Algorithm algorithm) {
        PolicyDeclaration declaration = new PolicyDeclaration(
                PolicyMembers.of("plan", algorithm, ANNOTATION)
                        .with(PolicyMember.BURST, algorithm.accepts(Algorithm.Member.BURST) ? 5L : 0L),
                DeclaredWindow.of(Duration.ofMinutes(1)),
                Map.of(),
                true);
        return new ReloadablePolicy(declaration, PolicyVersion.of(declaration, true, true, List.of()));
    }
}
