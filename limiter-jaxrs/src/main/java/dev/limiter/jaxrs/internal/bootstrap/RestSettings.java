package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.internal.settings.ModuleSettings;
import dev.limiter.jaxrs.internal.address.ExemptAddresses;
import dev.limiter.jaxrs.internal.address.ForwardedClientAddress;
import dev.limiter.jaxrs.internal.declaration.RequireLimits;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import dev.limiter.jaxrs.internal.quota.ContractQuotas;
import dev.limiter.jaxrs.internal.request.LeaseRenewer;
import dev.limiter.jaxrs.internal.request.SlotWait;
import dev.limiter.jaxrs.internal.response.RateLimitHeaders;
import dev.limiter.jaxrs.internal.response.RetryAfterHeader;
import dev.limiter.jaxrs.internal.settings.PolicySettingNames;
import dev.limiter.jaxrs.internal.settings.WatchedFile;
import dev.limiter.spi.Setting;
import java.util.List;

/** The settings of this module, each declared by the class that reads it. */
public final class RestSettings implements ModuleSettings {
    /** For {@link java.util.ServiceLoader}. */
    public RestSettings() {}

    @Override
    public List<Setting<?>> settings() {
        return List.of(
                PolicyRegistry.ENABLED,
                RequireLimits.SETTING,
                RequireLimits.EXEMPT,
                RateLimiterFactory.APPLICATION,
                WatchedFile.FILE,
                PolicySettingNames.SHARED,
                RateLimitHeaders.SETTING,
                RetryAfterHeader.JITTER,
                ForwardedClientAddress.TRUSTED_PROXIES,
                ForwardedClientAddress.HEADER,
                ForwardedClientAddress.IPV6_PREFIX,
                ExemptAddresses.EXEMPT,
                LeaseRenewer.LEASE,
                LeaseRenewer.LONGEST,
                SlotWait.MAX,
                ContractQuotas.CACHE,
                ContractQuotas.THREADS);
    }
}
