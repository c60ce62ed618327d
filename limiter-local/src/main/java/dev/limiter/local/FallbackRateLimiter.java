package dev.limiter.local;

import dev.limiter.Algorithm;
import dev.limiter.Answer;
import dev.limiter.Charge;
import dev.limiter.Decision;
import dev.limiter.Demand;
import dev.limiter.Group;
import dev.limiter.OnStoreFailure;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Receipt;
import dev.limiter.spi.Settings;
import dev.limiter.spi.Signals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Asks a store, and answers itself when the store fails, as each policy's {@link OnStoreFailure} says: of the policies of a group that
 * enforce, {@code CLOSED} has the last word, then {@code LOCAL} decides, and {@code OPEN} passes. It answers for a store that
 * failed, never for a limit that was reached.
 *
 * <p>For {@code LOCAL} this process keeps books of its own, in which it also writes what the store has admitted to it. So a store
 * that fails hands out no fresh quota. A store that recovers would, since it does not know what was admitted without it:
 * for one window, and until a full quota has come back, after the last such admission of a policy both must admit. Otherwise the
 * books are written, not asked: two clocks differ, and a store that is well has the only say.
 *
 * <p>Each process admits up to the limit by its own books, so all of them up to nodes × limit; where it is known how many there are,
 * each keeps its part of the numbers. The books are bounded as those of {@link LocalRateLimiter} are: of more than
 * {@value LocalRateLimiter#MAX_PARTITIONS} partitions the longest unused begin with a full quota.
 *
 * <p>Spent in the store, then the store fails: 5 per 10 s, 5 admitted by the store at 0 s, which fails at 1 s. The sixth is
 * rejected at 1 s and admitted at 10 s.
 */
public final class FallbackRateLimiter implements RateLimiter {
    private static final int MAX_NODES = 100_000;

    private final RateLimiter store;
    private final LocalRateLimiter books;
    private final Shares shares;
    private final FallbackLog log;

    /**
     * @param store throws {@link StoreUnavailableException} when it fails, and for nothing else
     * @param configured what {@code CONFIGURED} means
     * @param expectedNodes among how many processes the numbers are divided when the store fails; 1 if each is to have all
     * @param signals is told how many partitions the books hold
     * @throws IllegalArgumentException if {@code configured} is {@code CONFIGURED}, or {@code expectedNodes} below 1
     */
    public FallbackRateLimiter(RateLimiter store, OnStoreFailure configured, int expectedNodes, Signals signals) {
        this(store, configured, expectedNodes, signals, new LocalRateLimiter());
    }

    /**
     * With {@code limiter.on-store-failure}, {@code LOCAL} where it is not set, and {@code limiter.expected-nodes}, else 1.
     *
     * @param store makes the store, once it is known that the settings can be used
     * @throws InvalidSettingException if one of them cannot be used
     */
    public static FallbackRateLimiter configured(Supplier<RateLimiter> store, Settings settings, Signals signals) {
        OnStoreFailure configured = onStoreFailure(settings);
        int expectedNodes = expectedNodes(settings);
        return new FallbackRateLimiter(store.get(), configured, expectedNodes, signals);
    }

    private static OnStoreFailure onStoreFailure(Settings settings) {
        String name = "limiter.on-store-failure";
        String text = settings.value(name).orElse(OnStoreFailure.LOCAL.name()).strip();
        for (OnStoreFailure each : OnStoreFailure.values()) {
            if (each != OnStoreFailure.CONFIGURED && each.name().equalsIgnoreCase(text)) {
                return each;
            }
        }
        throw new InvalidSettingException(name, "\"" + text + "\" is none of LOCAL, CLOSED, OPEN");
    }

    private static int expectedNodes(Settings settings) {
        return settings.integer("limiter.expected-nodes", 1, 1, MAX_NODES);
    }

    FallbackRateLimiter(
            RateLimiter store, OnStoreFailure configured, int expectedNodes, Signals signals, LocalRateLimiter books) {
        if (configured == OnStoreFailure.CONFIGURED) {
            throw new IllegalArgumentException("configured must be LOCAL, CLOSED or OPEN, was CONFIGURED");
        }
        if (expectedNodes < 1) {
            throw new IllegalArgumentException("expectedNodes must be at least 1, was " + expectedNodes);
        }
        this.store = store;
        this.books = books;
        this.shares = new Shares(configured, expectedNodes);
        this.log = new FallbackLog(expectedNodes, () -> TimeUnit.MICROSECONDS.toNanos(books.nowMicros()));
        signals.fallbackPartitions(books::partitions);
    }

    /**
     * A part of a group that the books have decided.
     *
     * @param members which demands of the group are in it
     * @param decision has an answer for each of these, in their order
     */
    private record Part(boolean[] members, Decision decision) {

        /** The answers, each at its demand's place in the group; null elsewhere. */
        Answer[] placed() {
            Answer[] placed = new Answer[members.length];
            int next = 0;
            for (int i = 0; i < members.length; i++) {
                placed[i] = members[i] ? decision.answers().get(next++) : null;
            }
            return placed;
        }

        Receipt receipt() {
            return ((Decision.Admitted) decision).receipt();
        }
    }

    @Override
    public Decision acquire(Group group) {
        Part reserved = reserve(group);
        if (reserved != null && !reserved.decision().admitted()) {
            return refused(group, reserved);
        }
        Decision decision;
        try {
            decision = store.acquire(group);
        } catch (StoreUnavailableException failure) {
            requireNoneClosed(group, reserved, failure);
            return instead(group, reserved, failure);
        }
        return settled(group, reserved, decision);
    }

    @Override
    public List<Decision> acquireEach(List<Group> groups) {
        List<Decision> all = new ArrayList<>(groups.size());
        for (int from = 0; from < groups.size(); from += MAX_GROUPS) {
            all.addAll(acquireTogether(groups.subList(from, Math.min(groups.size(), from + MAX_GROUPS))));
        }
        return all;
    }

    /** Decides what shares a round trip. */
    private List<Decision> acquireTogether(List<Group> groups) {
        Part[] reserved = new Part[groups.size()];
        List<Group> asked = new ArrayList<>(groups.size());
        for (int i = 0; i < reserved.length; i++) {
            reserved[i] = reserve(groups.get(i));
            if (mayAsk(reserved[i])) {
                asked.add(groups.get(i));
            }
        }
        List<Decision> answered = null;
        StoreUnavailableException failure = null;
        try {
            answered = asked.isEmpty() ? List.of() : store.acquireEach(asked);
        } catch (StoreUnavailableException unavailable) {
            failure = unavailable;
            requireNoneClosed(groups, reserved, unavailable);
        }
        List<Decision> decided = new ArrayList<>(groups.size());
        int next = 0;
        for (int i = 0; i < reserved.length; i++) {
            Group group = groups.get(i);
            if (!mayAsk(reserved[i])) {
                decided.add(refused(group, reserved[i]));
            } else if (failure == null) {
                decided.add(settled(group, reserved[i], answered.get(next++)));
            } else {
                decided.add(instead(group, reserved[i], failure));
            }
        }
        return decided;
    }

    private static boolean mayAsk(Part reserved) {
        return reserved == null || reserved.decision().admitted();
    }

    /**
     * Takes what has to be admitted here as well, since the store does not know all that was admitted; null if there is no
     * such policy. Shadows have no say, and are written afterwards.
     */
    private Part reserve(Group group) {
        if (shares.neverAlone()) {
            return null;
        }
        long now = books.nowMicros();
        if (shares.allRecovered(now)) {
            return null;
        }
        List<Demand> demands = group.demands();
        boolean[] members = new boolean[demands.size()];
        for (int i = 0; i < members.length; i++) {
            Policy policy = demands.get(i).policy();
            Share share = shares.of(policy);
            members[i] = share.isLocal() && !policy.shadow() && share.bothMustAdmit(now);
        }
        return decide(group, members);
    }

    /** Asks the books for some demands of a group; null for none. */
    private Part decide(Group group, boolean[] members) {
        List<Demand> own = new ArrayList<>(members.length);
        for (int i = 0; i < members.length; i++) {
            if (members[i]) {
                Demand demand = group.demands().get(i);
                own.add(shares.of(demand.policy()).own(demand));
            }
        }
        return own.isEmpty() ? null : new Part(members, books.acquire(new Group(own)));
    }

    /** The store need not be asked: the books do not admit. */
    private Decision refused(Group group, Part reserved) {
        return new Decision.Rejected(
                fallback(group, reserved, null), reserved.decision().atMicros());
    }

    /** The store's decision stands; what it admitted is written in the books, what it did not is taken out of them. */
    private Decision settled(Group group, Part reserved, Decision decision) {
        if (!decision.fallback()) {
            log.storeAnswers();
        }
        if (decision instanceof Decision.Admitted admission) {
            return reserved == null ? written(group, admission) : writtenToo(group, reserved, admission);
        }
        if (reserved != null) {
            takeBack(group, reserved);
        }
        return decision;
    }

    /** Writes in the books what the store has admitted. */
    private Decision written(Group group, Decision.Admitted admission) {
        List<Demand> demands = new ArrayList<>(group.demands().size());
        List<Answer> answers = new ArrayList<>(group.demands().size());
        for (int i = 0; i < group.demands().size(); i++) {
            writable(group.demands().get(i), admission.answers().get(i), demands, answers);
        }
        return demands.isEmpty() ? admission : with(admission, admission.answers(), books.admit(demands, answers));
    }

    /** The same, but for what was reserved. A slot is waited for until both have given it. */
    private Decision writtenToo(Group group, Part reserved, Decision.Admitted admission) {
        List<Demand> demands = new ArrayList<>(group.demands().size());
        List<Answer> answers = new ArrayList<>(group.demands().size());
        List<Answer> told = new ArrayList<>(admission.answers());
        Answer[] own = reserved.placed();
        for (int i = 0; i < own.length; i++) {
            Demand demand = group.demands().get(i);
            Answer answer = told.get(i);
            if (own[i] == null) {
                writable(demand, answer, demands, answers);
            } else if (own[i].runAfterMicros() > answer.runAfterMicros()) {
                told.set(i, heldFor(own[i].runAfterMicros(), answer));
            } else if (own[i].runAfterMicros() < answer.runAfterMicros()) {
                books.refund(reserved.receipt().only(own[i].policy()::equals));
                writable(demand, answer, demands, answers);
            }
        }
        Receipt receipt = reserved.receipt();
        return with(
                admission,
                told,
                demands.isEmpty() ? receipt : Receipt.joined(List.of(receipt, books.admit(demands, answers))));
    }

    /** What is charged in the store, and by {@code LOCAL} has to be in the books. What is a fallback's already is. */
    private void writable(Demand demand, Answer answer, List<Demand> demands, List<Answer> answers) {
        Share share = shares.of(demand.policy());
        if (answer.admitted() && !answer.fallback() && share.isLocal()) {
            demands.add(share.own(demand));
            answers.add(answer);
        }
    }

    private static Decision.Admitted with(Decision.Admitted admission, List<Answer> answers, Receipt copy) {
        Receipt before = admission.receipt().copy();
        Receipt all = before == null ? copy : Receipt.joined(List.of(before, copy));
        return new Decision.Admitted(
                answers, admission.atMicros(), admission.receipt().withCopy(all));
    }

    private static Answer heldFor(long runAfterMicros, Answer answer) {
        return new Answer(
                answer.policy(),
                true,
                answer.remaining(),
                runAfterMicros,
                0,
                answer.nextAfterMicros(),
                answer.resetAfterMicros(),
                answer.fallback());
    }

    /** A lease that the store does not take, and that runs on, is one that only the books know. */
    private void takeBack(Group group, Part reserved) {
        if (!books.takeBack(reserved.receipt())) {
            return;
        }
        long now = books.nowMicros();
        for (Demand demand : group.demands()) {
            if (demand.policy().algorithm() == Algorithm.CONCURRENCY) {
                admittedAlone(demand, now);
            }
        }
    }

    /**
     * The store has failed, and nothing that enforces is {@code CLOSED}.
     *
     * @param reserved what the books have admitted already; it stands
     */
    private Decision instead(Group group, Part reserved, StoreUnavailableException failure) {
        List<Demand> demands = group.demands();
        boolean[] members = new boolean[demands.size()];
        boolean local = reserved != null;
        for (int i = 0; i < members.length; i++) {
            members[i] = shares.of(demands.get(i).policy()).isLocal() && (reserved == null || !reserved.members()[i]);
            local |= members[i];
        }
        Part rest = decide(group, members);
        boolean admitted = rest == null || rest.decision().admitted();
        if (local) {
            log.decided(admitted, failure);
        } else {
            log.passed(failure);
        }
        List<Answer> answers = fallback(group, reserved, rest);
        if (!admitted) {
            if (reserved != null) {
                takeBack(group, reserved);
            }
            return new Decision.Rejected(answers, rest.decision().atMicros());
        }
        long now = books.nowMicros();
        List<Demand> passed = new ArrayList<>(demands.size());
        for (int i = 0; i < members.length; i++) {
            if (answers.get(i).admitted()) {
                passed.add(demands.get(i));
                admittedAlone(demands.get(i), now);
            }
        }
        return new Decision.Admitted(answers, now, Receipt.ofFallback(passed, copy(reserved, rest)));
    }

    private static Receipt copy(Part one, Part other) {
        if (one == null) {
            return other == null ? null : other.receipt();
        }
        return other == null ? one.receipt() : Receipt.joined(List.of(one.receipt(), other.receipt()));
    }

    private void admittedAlone(Demand demand, long now) {
        Share share = shares.of(demand.policy());
        if (share.isLocal()) {
            shares.admittedAlone(share, now);
        }
    }

    /** What the books say of the parts they were asked, and of the rest what is said of what nobody was asked. */
    private List<Answer> fallback(Group group, Part one, Part other) {
        Answer[] answers = new Answer[group.demands().size()];
        place(one, answers);
        place(other, answers);
        for (int i = 0; i < answers.length; i++) {
            Policy policy = group.demands().get(i).policy();
            answers[i] = answers[i] == null
                    ? Answer.unasked(policy)
                    : shares.of(policy).fallback(answers[i]);
        }
        return Arrays.asList(answers);
    }

    private static void place(Part part, Answer[] answers) {
        Answer[] placed = part == null ? answers : part.placed();
        for (int i = 0; i < answers.length; i++) {
            answers[i] = placed[i] == null ? answers[i] : placed[i];
        }
    }

    /** Of those that the store was asked; what was reserved for any is taken back. */
    private void requireNoneClosed(List<Group> groups, Part[] reserved, StoreUnavailableException failure) {
        boolean closed = false;
        for (int i = 0; i < reserved.length; i++) {
            closed |= mayAsk(reserved[i]) && isClosed(groups.get(i));
        }
        if (!closed) {
            return;
        }
        for (int i = 0; i < reserved.length; i++) {
            if (reserved[i] != null && mayAsk(reserved[i])) {
                takeBack(groups.get(i), reserved[i]);
            }
        }
        log.unavailable(failure);
        throw failure;
    }

    private void requireNoneClosed(Group group, Part reserved, StoreUnavailableException failure) {
        requireNoneClosed(List.of(group), new Part[] {reserved}, failure);
    }

    /** Whether one that enforces is {@code CLOSED}; if none enforces, whether one of the shadows is. */
    private boolean isClosed(Group group) {
        boolean enforced = false;
        boolean closed = false;
        boolean closedShadow = false;
        for (Demand demand : group.demands()) {
            boolean refuses = shares.of(demand.policy()).onStoreFailure() == OnStoreFailure.CLOSED;
            boolean shadow = demand.policy().shadow();
            enforced |= !shadow;
            closed |= refuses && !shadow;
            closedShadow |= refuses && shadow;
        }
        return enforced ? closed : closedShadow;
    }

    @Override
    public List<Answer> peek(Group group) {
        List<Answer> answers;
        try {
            answers = store.peek(group);
        } catch (StoreUnavailableException failure) {
            requireNoneClosed(group, null, failure);
            return peekInstead(group);
        }
        log.storeAnswers();
        return answers;
    }

    private List<Answer> peekInstead(Group group) {
        return group.demands().stream()
                .map(demand -> {
                    Share share = shares.of(demand.policy());
                    return share.isLocal()
                            ? share.fallback(
                                    books.peek(Group.of(share.own(demand))).get(0))
                            : Answer.unasked(demand.policy());
                })
                .toList();
    }

    @Override
    public Charge charge(Policy policy, PartitionKey key, long units) {
        Charge.requireChargeable(policy, units);
        Share share = shares.of(policy);
        Charge charge;
        try {
            charge = store.charge(policy, key, units);
        } catch (StoreUnavailableException failure) {
            return chargeInstead(share, policy, key, units, failure);
        }
        log.storeAnswers();
        if (share.isLocal() && charge.charged() > 0 && !charge.fallback()) {
            books.charge(share.own(), key, charge.charged());
        }
        return charge;
    }

    private Charge chargeInstead(
            Share share, Policy policy, PartitionKey key, long units, StoreUnavailableException failure) {
        return switch (share.onStoreFailure()) {
            case CLOSED -> {
                log.unavailable(failure);
                throw failure;
            }
            case OPEN -> {
                log.passed(failure);
                yield Charge.untold(policy, units);
            }
            case LOCAL, CONFIGURED -> {
                log.decided(true, failure);
                shares.admittedAlone(share, books.nowMicros());
                yield share.fallback(books.charge(share.own(), key, units));
            }
        };
    }

    /** What the store has it gives back, and the books their copy, also when the store fails. */
    @Override
    public boolean refund(Decision.Admitted admission) {
        Receipt copy = admission.receipt().copy();
        boolean given = copy != null && books.refund(copy);
        return store.refund(admission) || given;
    }

    @Override
    public void reset(Policy policy, PartitionKey key) {
        books.reset(shares.of(policy).own(), key);
        store.reset(policy, key);
    }

    @Override
    public String storeKey(Policy policy, PartitionKey key) {
        return store.storeKey(policy, key);
    }

    @Override
    public void close() {
        try {
            store.close();
        } finally {
            books.close();
        }
    }
}
