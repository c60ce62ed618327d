package dev.limiter.redis;

import dev.limiter.Policy;
import dev.limiter.spi.Rate;
import dev.limiter.spi.Rate.Span;
import dev.limiter.spi.Reading;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * How one policy speaks with the script: its arguments, most of them encoded once, and the meaning of its reply. What they
 * are is written at the head of each file in {@code lua/algorithm}.
 */
interface PolicyScript {

    /** Appends the algorithm's name and its arguments. */
    void arguments(long cost, long phaseMicros, List<byte[]> arguments);

    /** Takes from the reply what the algorithm reads. */
    Reading reading(Reply reply);

    /** The only place where an algorithm meets its script. */
    static PolicyScript of(Policy policy) {
        return switch (policy.algorithm()) {
            case FIXED_WINDOW -> new OfFixedWindow(policy);
            case SLIDING_LOG -> new OfSlidingLog(policy);
            case TOKEN_BUCKET, GCRA, UNIFORM -> new OfGcra(policy);
        };
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] number(long number) {
        return ascii(Long.toString(number));
    }

    /** {@code lua/algorithm/fixed_window.lua}. */
    final class OfFixedWindow implements PolicyScript {
        private static final byte[] NAME = ascii("fixed_window");
        private final byte[] limit;
        private final byte[] window;

        OfFixedWindow(Policy policy) {
            this.limit = number(policy.limit());
            this.window = number(policy.windowMicros());
        }

        @Override
        public void arguments(long cost, long phaseMicros, List<byte[]> arguments) {
            arguments.add(NAME);
            arguments.add(number(cost));
            arguments.add(limit);
            arguments.add(window);
            arguments.add(number(phaseMicros));
        }

        @Override
        public Reading reading(Reply reply) {
            return new Reading.OfWindow(reply.nextFlag(), reply.next(), reply.next());
        }
    }

    /** {@code lua/algorithm/sliding_log.lua}. */
    final class OfSlidingLog implements PolicyScript {
        private static final byte[] NAME = ascii("sliding_log");
        private final byte[] limit;
        private final byte[] window;

        OfSlidingLog(Policy policy) {
            this.limit = number(policy.limit());
            this.window = number(policy.windowMicros());
        }

        @Override
        public void arguments(long cost, long phaseMicros, List<byte[]> arguments) {
            arguments.add(NAME);
            arguments.add(number(cost));
            arguments.add(limit);
            arguments.add(window);
        }

        @Override
        public Reading reading(Reply reply) {
            return new Reading.OfLog(reply.nextFlag(), reply.next(), reply.next(), reply.next(), reply.next());
        }
    }

    /** {@code lua/algorithm/gcra.lua}. */
    final class OfGcra implements PolicyScript {
        private static final byte[] NAME = ascii("gcra");
        private final Rate rate;
        private final long capacity;
        private final byte[] limit;

        OfGcra(Policy policy) {
            this.rate = new Rate(policy.limit(), policy.windowMicros());
            this.capacity = policy.capacity();
            this.limit = number(policy.limit());
        }

        @Override
        public void arguments(long cost, long phaseMicros, List<byte[]> arguments) {
            Span slack = rate.timeOf(capacity - cost);
            Span price = rate.timeOf(cost);
            arguments.add(NAME);
            arguments.add(limit);
            arguments.add(number(slack.micros()));
            arguments.add(number(slack.part()));
            arguments.add(number(price.micros()));
            arguments.add(number(price.part()));
        }

        @Override
        public Reading reading(Reply reply) {
            return new Reading.OfBucket(reply.nextFlag(), new Span(reply.next(), reply.next()));
        }
    }
}
