package dev.limiter.example.wars;

import dev.limiter.jaxrs.ClientAddress;
import dev.limiter.jaxrs.LimitedRequest;
import jakarta.enterprise.context.ApplicationScoped;

/** An application that knows its clients better than by their addresses. */
@ApplicationScoped
public class DeviceAddress implements ClientAddress {

    @Override
    public String of(LimitedRequest request) {
        return "device " + request.header("X-Device");
    }
}
