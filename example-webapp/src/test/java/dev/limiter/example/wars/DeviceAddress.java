package dev.limiter.example.wars;

import dev.limiter.jaxrs.ClientAddress;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.ContainerRequestContext;

/** An application that knows its clients better than by their addresses. */
@ApplicationScoped
public class DeviceAddress implements ClientAddress {

    @Override
    public String of(ContainerRequestContext request) {
        return "device " + request.getHeaderString("X-Device");
    }
}
