package dev.limiter.servers.war;

import dev.limiter.jaxrs.KeyResolver;
import dev.limiter.jaxrs.LimitedRequest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Named;

/** Tenants by their domain: {@code a.example} for {@code www.a.example}. */
@Named("tenantKey")
@ApplicationScoped
public class TenantKey implements KeyResolver {

    @Override
    public String key(LimitedRequest request) {
        String tenant = request.header("X-Tenant");
        return tenant == null ? null : tenant.replaceFirst("^www\\.", "");
    }
}
