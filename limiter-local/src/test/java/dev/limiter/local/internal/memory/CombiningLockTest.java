package dev.limiter.local.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CombiningLockTest {
    private final List<String> ran = new ArrayList<>();
    private final CombiningLock lock = new CombiningLock(() -> 7);

    /** Each left task of another thread that fails ends a call; no task is lost with it. */
    @Test
    void aTaskRunsAlthoughATaskOfAnotherThreadFailsBeforeIt() throws Exception {
        lock.lock();
        Thread other = new Thread(() -> {
            lock.submit(now -> fail("first"));
            lock.submit(now -> fail("second"));
        });
        other.start();
        other.join();
        assertThat(ran).isEmpty();
        assertThat(catchThrowable(lock::unlock)).hasMessage("first");
        assertThat(catchThrowable(() -> lock.submit(now -> ran.add("own at " + now))))
                .hasMessage("second");
        assertThat(ran).containsExactly("first", "second", "own at 7");
    }

    private void fail(String task) {
        ran.add(task);
        throw new IllegalStateException(task);
    }
}
