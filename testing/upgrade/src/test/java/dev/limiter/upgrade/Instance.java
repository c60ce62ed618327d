package dev.limiter.upgrade;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.queue.BoundedQueue;
import dev.limiter.queue.BoundedQueues;
import dev.limiter.queue.Delivery;
import dev.limiter.queue.OfferResult;
import dev.limiter.queue.QueuePolicy;
import dev.limiter.queue.QueueStorage;
import dev.limiter.spi.RateLimiterProvider;
import dev.limiter.spi.Signals;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.locks.LockSupport;

/**
 * An instance of the application, a process with one of the builds on its class path. Each line of
 * its input is a call, and each line of its output an answer. It ends with its input. It uses what
 * is exported, and nothing else.
 */
final class Instance {
    static final Duration HOLD = Duration.ofSeconds(1);

    private final RateLimiter limiter;
    private final List<BoundedQueue> queues;
    private final Map<String, Decision.Admitted> leases = new HashMap<>();
    private Load load;

    private Instance(RateLimiter limiter) {
        this.limiter = limiter;
        BoundedQueues made = BoundedQueues.of(limiter);
        this.queues = Arrays.stream(QueueStorage.values())
                .map(form -> QueuePolicy.of("work", 100).in(form).withHold(HOLD).withDeliveries(100))
                .map(made::queue)
                .toList();
    }

    /** Argument: Redis' address. */
    public static void main(String[] args) throws Exception {
        Map<String, String> settings = Map.of(
                "limiter.redis.uri",
                args[0],
                "limiter.redis.deadline",
                "1m",
                "limiter.on-store-failure",
                "CLOSED"); // every answer is the store's
        RateLimiterProvider provider = ServiceLoader.load(RateLimiterProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.isNamed(name -> Optional.ofNullable(settings.get(name))))
                .findFirst()
                .orElseThrow();
        BufferedReader calls = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (RateLimiter limiter = provider.create(
                        "upgrade", name -> Optional.ofNullable(settings.get(name)), Signals.NONE)
                .orElseThrow()) {
            Instance instance = new Instance(limiter);
            for (String call = calls.readLine(); call != null; call = calls.readLine()) {
                System.out.println(instance.answer(call.split(" ")));
            }
        }
    }

    private Object answer(String[] call) throws Exception {
        return switch (call[0]) {
            case "build" ->
                RateLimiter.class.getProtectionDomain().getCodeSource().getLocation();
            case "load" -> {
                load = new Load(limiter, queues);
                yield "";
            }
            case "park" -> {
                LockSupport.parkNanos(Long.parseLong(call[1]));
                yield "";
            }
            case "end" -> load.end(call[1].equals("drained") ? queues : List.of(), Path.of(call[2]));
            case "used" ->
                limiter.peek(
                                SharedLimits.LOADED.get(Integer.parseInt(call[1])),
                                SharedLimits.key(Integer.parseInt(call[2])))
                        .used();
            case "peek" -> figures(SharedLimits.SPENT.get(Integer.parseInt(call[1])));
            case "acquire" ->
                decided(CheckGroup.of(
                        Check.of(SharedLimits.SPENT.get(Integer.parseInt(call[1])), SharedLimits.key(0))));
            case "lease" -> lease(call[1]);
            case "release" -> limiter.refund(leases.remove(call[1]));
            case "pause" -> {
                limiter.closeGate(
                        SharedLimits.PARTNER, SharedLimits.key(0), Duration.ofSeconds(Long.parseLong(call[1])));
                yield "";
            }
            case "partner" ->
                decided(CheckGroup.of(Check.of(SharedLimits.PARTNER, SharedLimits.key(0)))
                        .withGates());
            case "offer" -> ((OfferResult.Accepted) queue(call).offer(call[2])).id();
            case "take" -> queue(call).take(call[2]).map(Delivery::payload).orElse("nothing");
            case "acknowledge" -> queue(call).acknowledge(new Delivery(call[2], "", 1));
            case "state" -> queue(call).state(call[2]);
            default -> throw new IllegalArgumentException("no call: " + call[0]);
        };
    }

    private BoundedQueue queue(String[] call) {
        return queues.get(Integer.parseInt(call[1]));
    }

    private String lease(String name) {
        Decision decision =
                limiter.acquire(CheckGroup.of(Check.ofLease(SharedLimits.LEASES, SharedLimits.key(1), name)));
        if (decision instanceof Decision.Admitted lease) {
            leases.put(name, lease);
        }
        return decision.admitted() ? "admitted" : "rejected";
    }

    private String figures(Policy policy) {
        CheckResult result = limiter.peek(policy, SharedLimits.key(0));
        return result.used() + " " + result.remaining() + " " + result.retryAfterMicros() + " "
                + result.nextAfterMicros() + " " + result.resetAfterMicros();
    }

    private String decided(CheckGroup group) {
        Decision decision = limiter.acquire(group);
        return decision instanceof Decision.Rejected rejected
                ? "rejected " + rejected.retryAfter().toMillis()
                : "admitted";
    }
}
