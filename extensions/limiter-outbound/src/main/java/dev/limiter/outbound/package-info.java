/** Limits on calls to partners, as a feature of Jakarta REST clients. */
package dev.limiter.outbound;
