/** How spans of time are written, and which settings a module reads. */
package dev.limiter.internal.settings;
