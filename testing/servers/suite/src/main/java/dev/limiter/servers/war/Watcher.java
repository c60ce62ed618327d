package dev.limiter.servers.war;

import jakarta.annotation.Priority;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;

/** Adds a word to what is returned, to show that it was there. */
@Watched
@Interceptor
@Priority(Interceptor.Priority.APPLICATION)
public class Watcher {

    @AroundInvoke
    public Object around(InvocationContext call) throws Exception {
        return call.proceed() + ", watched";
    }
}
