package dev.limiter.jaxrs.internal.address;

import dev.limiter.jaxrs.ClientAddress;
import dev.limiter.jaxrs.LimitedRequest;

/**
 * The application's own client address, which must name every client.
 *
 * @param bean a CDI bean, or a property of the application
 */
public record ClientAddressOfApplication(ClientAddress bean) implements ClientAddress {
    @Override
    public String of(LimitedRequest request) {
        String address = bean.of(request);
        if (address == null) {
            throw new IllegalStateException("the bean of type " + ClientAddress.class.getName() + ", a "
                    + bean.getClass().getName() + ", gave null; it must name every client");
        }
        return address;
    }
}
