/** Divides limits among instances; the provider for settings that name no store. */
package dev.limiter.local.internal.instances;
