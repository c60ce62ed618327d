package dev.limiter.jaxrs.internal.policy;

import dev.limiter.jaxrs.internal.key.KeyExpression;

/**
 * How an annotation chooses partition and tier of a request.
 *
 * @param tier null for a policy without tiers
 */
public record PartitionChoice(KeyExpression key, KeyExpression.Segment tier) {}
