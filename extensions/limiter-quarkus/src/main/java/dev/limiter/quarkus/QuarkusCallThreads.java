package dev.limiter.quarkus;

import dev.limiter.cdi.CallThreads;
import io.quarkus.runtime.BlockingOperationControl;
import io.quarkus.runtime.ExecutorRecorder;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.concurrent.Executor;
import org.eclipse.microprofile.context.ThreadContext;

/** Threads for the limited methods of beans, where the application has limiter-cdi. */
public final class QuarkusCallThreads implements CallThreads {
    private static final ThreadContext CONTEXTS = ThreadContext.builder().build();

    /** For {@link java.util.ServiceLoader}. */
    public QuarkusCallThreads() {}

    @Override
    public boolean mayWait() {
        return BlockingOperationControl.isBlockingAllowed();
    }

    @Override
    public Executor workers() {
        return work -> ExecutorRecorder.getCurrent().execute(CONTEXTS.contextualRunnable(work));
    }

    @Override
    public Executor here() {
        Context here = Vertx.currentContext();
        return here == null ? Runnable::run : work -> here.runOnContext(now -> work.run());
    }
}
