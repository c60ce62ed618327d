package orders;

import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.PeerAddress;
import io.helidon.webserver.http.ServerRequest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.Context;

@ApplicationScoped
public class Peer implements PeerAddress {
    @Context
    ServerRequest request;

    @Override
    public String of(LimitedRequest limited) {
        return request.remotePeer().host();
    }
}
