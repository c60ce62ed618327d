/** What stores share, and no application uses: receipts, settlements, waiting for a turn. */
package dev.limiter.internal.store;
