package dev.limiter.queue.recorded;

import dev.limiter.internal.settings.DurationNotation;
import dev.limiter.queue.BoundedQueue;
import dev.limiter.queue.BoundedQueues;
import dev.limiter.queue.Delivery;
import dev.limiter.queue.OfferResult;
import dev.limiter.queue.QueuePolicy;
import dev.limiter.queue.QueueStats;
import dev.limiter.queue.QueueStorage;
import dev.limiter.redis.recorded.Player;
import java.time.Duration;

/** Asks one queue, whose bounds may change. */
final class QueuePlayer implements Player {
    private final BoundedQueues queues;
    private final String name;
    private BoundedQueue queue;

    QueuePlayer(BoundedQueues queues, String name) {
        this.queues = queues;
        this.name = name;
    }

    @Override
    public boolean names(String key) {
        return key.matches("\\Q" + queue.storeKey() + "\\E(:(held|done|dead|letters|last|entries))?");
    }

    @Override
    public String call(String call) {
        String[] words = call.split(" ", 2);
        return switch (words[0]) {
            case "under" -> {
                queue = queues.queue(policy(words[1]));
                yield "";
            }
            case "offer" -> told(queue.offer(words[1]));
            case "take" -> queue.take(words[1]).map(QueuePlayer::told).orElse("nothing");
            case "acknowledge" -> Boolean.toString(queue.acknowledge(new Delivery(words[1], "", 1)));
            case "state" -> queue.state(words[1]).toString();
            case "stats" -> told(queue.stats());
            default -> throw new IllegalArgumentException("no call: " + call);
        };
    }

    /** Reads {@code STREAM; capacity 3; hold 30s; deliveries 2; remembered 2}. */
    private QueuePolicy policy(String text) {
        String[] parts = text.split("; ");
        QueuePolicy policy = QueuePolicy.of(name, 1).in(QueueStorage.valueOf(parts[0]));
        for (int i = 1; i < parts.length; i++) {
            String[] words = parts[i].split(" ");
            policy = switch (words[0]) {
                case "capacity" -> policy.withCapacity(Long.parseLong(words[1]));
                case "hold" -> policy.withHold(DurationNotation.parse(words[1]));
                case "deliveries" -> policy.withDeliveries(Integer.parseInt(words[1]));
                case "remembered" -> policy.remembering(Integer.parseInt(words[1]));
                default -> throw new IllegalArgumentException("no member: " + parts[i]);
            };
        }
        return policy;
    }

    private static String told(OfferResult result) {
        if (result instanceof OfferResult.Accepted accepted) {
            return "accepted " + accepted.id() + " length=" + accepted.length();
        }
        OfferResult.Full full = (OfferResult.Full) result;
        return "full length=" + full.length() + " retry=" + micros(full.retryAfter());
    }

    private static String told(Delivery delivery) {
        return delivery.id() + " count=" + delivery.count() + " " + delivery.payload();
    }

    private static String told(QueueStats stats) {
        return "waiting=" + stats.waiting() + " taken=" + stats.taken() + " dead=" + stats.dead() + " age="
                + micros(stats.age());
    }

    private static long micros(Duration span) {
        return span.toNanos() / 1_000;
    }
}
