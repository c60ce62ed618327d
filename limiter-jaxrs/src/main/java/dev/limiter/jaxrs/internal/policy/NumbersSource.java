package dev.limiter.jaxrs.internal.policy;

import dev.limiter.jaxrs.QuotaSource;

/** Says which limit and burst some callers have in the place of the declared ones. */
interface NumbersSource {
    /** What a caller has of a policy; null if it says nothing of this caller. */
    QuotaSource.Quota of(String policy, Caller caller);
}
