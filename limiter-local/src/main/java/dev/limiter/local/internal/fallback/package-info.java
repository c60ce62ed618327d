/** Records what the store admitted, and decides without the store while it is away. */
package dev.limiter.local.internal.fallback;
