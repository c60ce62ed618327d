package dev.limiter.jaxrs.internal.address;

import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.spi.Setting;
import java.util.List;

/** The addresses that are not limited, such as that of a health check. */
public record ExemptAddresses(List<CidrRange> ranges) {
    public static final Setting<List<CidrRange>> EXEMPT = CidrRange.listed("limiter.exempt-addresses");

    /** Whether there are none, so that no request is asked for its address. */
    public boolean isEmpty() {
        return ranges.isEmpty();
    }

    /** Whether a request comes from an exempt address. The call of a bean may have none. */
    public boolean contains(LimitedRequest request) {
        String address = request.clientAddress();
        return address != null && contains(address);
    }

    /**
     * Whether an address is exempt, as requests from it are counted: of IPv6 the network, whose
     * further bits are not known.
     */
    public boolean contains(String clientAddress) {
        String[] parts = clientAddress.split("/", 2);
        int known = parts.length > 1 && parts[1].matches("\\d{1,3}") ? Integer.parseInt(parts[1]) : Integer.MAX_VALUE;
        return IpAddress.parse(parts[0])
                .filter(client -> ranges.stream().anyMatch(range -> range.contains(client, known)))
                .isPresent();
    }
}
