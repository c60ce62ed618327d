package dev.limiter.quarkus;

import io.quarkus.runtime.BlockingOperationControl;
import io.quarkus.runtime.ExecutorRecorder;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;

/** Where a request runs: a round trip to Redis would block the event loop. */
final class Threads {
    private Threads() {}

    /**
     * Whether the handler that runs now may block. If not, it has to return at once, and is called
     * again on a thread where it may, with the request's context.
     */
    static boolean mayBlock(ResteasyReactiveRequestContext request) {
        if (BlockingOperationControl.isBlockingAllowed()) {
            return true;
        }
        request.setPosition(request.getPosition() - 1);
        request.suspend();
        request.resume(ExecutorRecorder.getCurrent());
        return false;
    }

    /** Runs what may block: now, or elsewhere if this is the event loop. */
    static void run(Runnable work) {
        if (BlockingOperationControl.isBlockingAllowed()) {
            work.run();
        } else {
            ExecutorRecorder.getCurrent().execute(work);
        }
    }

    /** Has the handlers after the present one run on the event loop, as without limits. */
    static void backToEventLoop(ResteasyReactiveRequestContext request) {
        if (!request.serverRequest().isOnIoThread()) {
            request.suspend();
            request.resume(request.getContextExecutor());
        }
    }
}
