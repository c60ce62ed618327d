/** Limits on calls to partners: the feature of Jakarta REST clients. */
package dev.limiter.outbound;
