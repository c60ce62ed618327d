package dev.limiter.redis.internal.identity;

import dev.limiter.spi.CredentialsSource;
import dev.limiter.spi.CredentialsSource.Credentials;
import dev.limiter.spi.Signals;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import redis.clients.jedis.RedisCredentials;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The newest credentials of a source. It calls the source before they end, and when Redis refuses
 * them, on threads of its own: requests and connections only read what is known.
 */
public final class ChangingCredentials implements Supplier<RedisCredentials>, AutoCloseable {
    static final long LATE_MILLIS = 10_000;
    static final long RETRY_MILLIS = 1_000;
    static final long SOONEST_MILLIS = 100;
    private static final int MOST_CALLS = 2;
    private static final Duration LONGEST = Duration.ofDays(365);

    private final CredentialsSource source;
    private final CredentialsLog log;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final ScheduledThreadPoolExecutor timer;
    private final ClassLoader loader = Thread.currentThread().getContextClassLoader();
    private final CountDownLatch answered = new CountDownLatch(1);
    private volatile Known known;
    private volatile String whyNone = "the first call has not returned";
    private Runnable renewed = () -> {};
    private long settledMillis;
    private Known refused;
    private Future<?> nextCall;
    private long lastCallNanos;
    private long lastCall;
    private long lastAnswer;
    private final Set<Thread> calling = new HashSet<>();

    /**
     * What Redis is told. An answer that says the same as the one before is the same object, unless
     * Redis has refused it.
     */
    public record Known(Credentials credentials) implements RedisCredentials {
        @Override
        public String getUser() {
            String user = credentials.user();
            return user == null || user.isEmpty() ? null : user;
        }

        @Override
        public char[] getPassword() {
            return credentials.password().toCharArray();
        }
    }

    /**
     * Calls the source for the first time, and waits for its answer, at most 10 s.
     *
     * @param signals receive failures
     */
    public static ChangingCredentials started(CredentialsSource source, Signals signals) {
        ChangingCredentials made = new ChangingCredentials(
                source,
                signals,
                InstantSource.system(),
                System::nanoTime,
                new ScheduledThreadPoolExecutor(1, work -> thread(work, null)));
        made.start();
        return made;
    }

    /**
     * @param nanos a clock that does not step, in ns
     * @param timer begins the calls; it ends with the credentials
     */
    ChangingCredentials(
            CredentialsSource source,
            Signals signals,
            InstantSource clock,
            LongSupplier nanos,
            ScheduledThreadPoolExecutor timer) {
        this.source = source;
        this.log = new CredentialsLog(source.getClass().getName(), signals, nanos);
        this.clock = clock;
        this.nanos = nanos;
        this.timer = timer;
        timer.setRemoveOnCancelPolicy(true);
    }

    private static Thread thread(Runnable work, ClassLoader loader) {
        Thread thread = new Thread(null, work, "limiter-credentials", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(loader);
        return thread;
    }

    void start() {
        callAfter(0);
        try {
            answered.await(LATE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Has idle connections authenticated after each change.
     *
     * @param settledMillis the time after a change in which connections in use come to their next
     *     use, or become idle
     */
    public synchronized void whenRenewed(Runnable authenticateIdle, long settledMillis) {
        this.renewed = authenticateIdle;
        this.settledMillis = settledMillis;
    }

    /**
     * The newest credentials.
     *
     * @throws JedisConnectionException if the source has given none yet; it says why
     */
    public Known newest() {
        Known newest = known;
        if (newest == null) {
            throw new JedisConnectionException(
                    source.getClass().getName() + " has given no credentials yet: " + whyNone);
        }
        return newest;
    }

    @Override
    public RedisCredentials get() {
        return newest();
    }

    /**
     * Redis has refused credentials. If there are no newer ones, the source is called again, but
     * not twice a second.
     *
     * @param words of Redis, which name no password
     */
    public void refused(Known credentials, String words) {
        synchronized (this) {
            if (credentials != known || credentials == refused) {
                return; // there are newer ones, or another connection was refused before
            }
            refused = credentials;
            long sinceMillis = TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - lastCallNanos);
            callAfter(Math.max(0, RETRY_MILLIS - sinceMillis));
        }
        String sentence = words.endsWith(".") ? words.substring(0, words.length() - 1) : words;
        log.failed("Redis says " + sentence, credentials.credentials());
    }

    /** Finds out whether Redis refused the newest credentials. */
    public void refusedIn(JedisException failed) {
        String words = String.valueOf(failed.getMessage());
        // The second is for a default user that has no password.
        if (failed instanceof JedisDataException && words.matches("(?s)(WRONGPASS|ERR AUTH ).*")) {
            refused(known, words);
        }
    }

    /** Begins a call then, in place of a later one. */
    private synchronized void callAfter(long millis) {
        if (nextCall != null) {
            nextCall.cancel(false);
        }
        nextCall = later(this::beginCall, millis);
    }

    private Future<?> later(Runnable work, long millis) {
        try {
            return timer.schedule(work, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            return null; // no connection needs the answer any more
        }
    }

    private void beginCall() {
        synchronized (this) {
            lastCallNanos = nanos.getAsLong();
            if (calling.size() < MOST_CALLS) {
                new Call().begin();
                return;
            }
        }
        failed("two calls to it have not returned");
    }

    /** One call of the source, on a thread of its own. */
    private final class Call implements Runnable {
        private final long number = ++lastCall;
        private final Thread thread = thread(this, loader);
        private Future<?> lateness;
        private boolean late;

        void begin() {
            calling.add(thread);
            lateness = later(this::isLate, LATE_MILLIS);
            try {
                thread.start();
            } catch (OutOfMemoryError noThread) {
                isOver();
                failed("no thread can be started to call it");
            }
        }

        @Override
        public void run() {
            String failure = null;
            Credentials answer = null;
            try {
                answer = source.newest();
            } catch (Throwable thrown) { // also an error, such as a class that is missing
                StackTraceElement[] trace = thrown.getStackTrace();
                failure = "it threw " + thrown.getClass().getName() + (trace.length == 0 ? "" : " at " + trace[0]);
            }
            boolean isReported = isOver();
            failure = failure == null ? learn(answer, number) : failure;
            if (failure != null && !isReported) {
                failed(failure);
            }
        }

        /** Ends the call; returns whether a failure was reported before, or concerns nothing. */
        private boolean isOver() {
            synchronized (ChangingCredentials.this) {
                calling.remove(thread);
                if (lateness != null) {
                    lateness.cancel(false);
                }
                return late || timer.isShutdown();
            }
        }

        private void isLate() {
            synchronized (ChangingCredentials.this) {
                if (!calling.contains(thread)) {
                    return;
                }
                late = true;
                thread.interrupt();
            }
            failed("it gave no answer within " + TimeUnit.MILLISECONDS.toSeconds(LATE_MILLIS) + " s");
        }
    }

    /**
     * Takes an answer, unless a later call has answered before.
     *
     * @param call its number
     * @return why it cannot be used; null if it can
     */
    private String learn(Credentials answer, long call) {
        if (answer == null) {
            return "it returned null";
        }
        if (answer.password() == null || answer.password().isEmpty()) {
            return "it returned no password";
        }
        long left = leftMillis(answer);
        if (left == 0) {
            return "it returned credentials that have expired by this machine's clock";
        }
        synchronized (this) {
            if (call < lastAnswer) {
                return null;
            }
            lastAnswer = call;
            Known before = known;
            boolean isSame =
                    before != null && before != refused && before.credentials().equals(answer);
            if (!isSame) {
                known = new Known(answer);
            }
            if (!isSame && before != null) {
                long settled = Math.min(settledMillis, leftMillis(before.credentials()) / 2);
                Runnable pass = renewed;
                later(() -> thread(pass, null).start(), settled);
            }
            if (answer.until() != null) {
                callAfter(Math.max(SOONEST_MILLIS, left / 4 * 3));
            }
        }
        log.answered();
        answered.countDown();
        return null;
    }

    private void failed(String why) {
        Known last = known;
        whyNone = why;
        long left = last == null ? 0 : leftMillis(last.credentials());
        callAfter(left == 0 ? RETRY_MILLIS : Math.max(SOONEST_MILLIS, Math.min(RETRY_MILLIS, left / 2)));
        log.failed(why, last == null ? null : last.credentials());
        answered.countDown();
    }

    /** How long they hold, in ms; a year if longer, or without an end; 0 if they have ended. */
    private long leftMillis(Credentials of) {
        Instant now = clock.instant();
        if (of.until() != null && !of.until().isAfter(now)) {
            return 0;
        }
        Instant longest = now.plus(LONGEST);
        Instant until = of.until() == null || of.until().isAfter(longest) ? longest : of.until();
        return Duration.between(now, until).toMillis();
    }

    @Override
    public synchronized void close() {
        timer.shutdownNow();
        calling.forEach(Thread::interrupt);
    }
}
