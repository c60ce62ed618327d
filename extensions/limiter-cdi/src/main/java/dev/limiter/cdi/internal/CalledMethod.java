package dev.limiter.cdi.internal;

import dev.limiter.jaxrs.LimitedRequest;
import java.security.Principal;
import java.util.List;

/**
 * A call as limits see it. It has a user, and the address of the request at hand if there is one,
 * but nothing else of a request: the method may be called without one.
 */
record CalledMethod(LimitedMethod called, Object[] arguments) implements LimitedRequest {
    @Override
    public Object parameter(String name) {
        int place = called.parameters().indexOf(name);
        return place < 0 ? null : arguments[place];
    }

    @Override
    public String endpoint() {
        return called.plan().endpoint();
    }

    @Override
    public Principal user() {
        return CurrentUser.get();
    }

    @Override
    public String clientAddress() {
        LimitedRequest request = CurrentUser.request();
        return request == null ? null : request.clientAddress();
    }

    @Override
    public String method() {
        return null;
    }

    @Override
    public String peerAddress() {
        return null;
    }

    @Override
    public String header(String name) {
        return null;
    }

    @Override
    public List<String> headers(String name) {
        return List.of();
    }

    @Override
    public String query(String name) {
        return null;
    }

    @Override
    public String pathParameter(String name) {
        return null;
    }

    @Override
    public String cookie(String name) {
        return null;
    }

    @Override
    public Object attribute(String name) {
        return null;
    }

    @Override
    public String form(String name) {
        return null;
    }
}
